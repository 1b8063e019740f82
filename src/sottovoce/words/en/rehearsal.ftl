### A rehearsal: what it adds to an answer, how its file was read, and what stands beside an answer.

# ---- notes: what was looked up, and what of the data did not count as it stands

groups-looked-up = { JOIN($settings, by: " and ") } were looked up in the data, which a survey cannot do: it has to declare them
observations-looked-up = { $observations ->
    [one] { $observations } observation
   *[other] { $observations } observations
} per user, as looked up in the file; a survey has to declare it
in-several-groups = memberships=1 is declared, and users of these data have something in several groups: each counts in one of
    them, drawn at random, and the truth beside it is another average; declare memberships={ BARE($memberships) }, or leave it
    out
users-without-data = { $empty } of { $users ->
    [one] { $users } user
   *[other] { $users } users
} { $empty ->
    [one] has
   *[other] have
} no observations: { $count_as }{ $allowed_for ->
    [none] { "" }
   *[other] { $enough ->
        [none] ; the intervals allow for them
       *[other] { $allowed_for ->
            [0] { "" }
           *[other] ; they are more than the { PART($allowed_for) } that the intervals allow for
        }; { $symbol ->
            [true] empty="symbol" (--empty symbol) counts them apart,{ " " }
           *[false] { "" }
        }empty_at_most={ G($enough) } (--empty-at-most { G($enough) }) puts them into the intervals
    }
}
count-for-all = they count for all alike
count-for-middle-one = they count for { $label }, the middle one
count-as-in-rounds = they count as { $random ->
    [true] a random place in
   *[false] the middle of
} what each round asks about
count-as-in-range = they count as { $random ->
    [true] a random place in the range
   *[false] { G($middle) }, the middle of the range
}
count-as-and-pull = { count-as-in-range }{ $random ->
    [true] { "" }
   *[false] ,
} and pull the answer from { FIXED($true, $digits) } to about { FIXED($pulled, $digits) }
range-misses-data = { $share ->
    [1] all { range-misses-whose }
   *[other] { PART($share) } of the { range-misses-whose }
} lie { $side } the declared range{ $low ->
    [none] { "" }
   *[other] { " " }{ G($low) } … { G($high) }
}, and count as its ends: declare a range that holds them
range-misses-whose = { $of ->
    [averages] users
   *[observations] observations
}
cells-missing = { $count ->
    [one] { $count } cell is
   *[other] { $count } cells are
} missing: a user speaks with what is left
odd-cells = { $count ->
    [one] { $count } odd cell of column { QUOTED($column) } counts
   *[other] { $count } odd cells of column { QUOTED($column) } count
} as missing{ in-lines }
rows-left-out = { $count ->
    [one] { $count } row
   *[other] { $count } rows
} of { $file } left out, { $reason ->
    [no-user] no user
    [too-many-cells] too many cells
   *[too-few-cells] too few cells
}{ in-lines }
in-lines = { $lines ->
    [none] { "" }
   *[other] { " " }({ $line }{ $count ->
        [one] { "" }
       *[other] s
    } { BARE_LIST($lines) }{ $more ->
        [true] , …
       *[false] { "" }
    })
}

# ---- what stands beside an answer

label-date = date
label-planned = planned
label-reading = reading
label-rehearsal = rehearsal
label-simulated = simulated
label-survey = survey
reading-found = { JOIN($parts, by: ", ") }
reading-separator = { $separator } between cells
reading-encoding = { $encoding }
reading-decimal-commas = decimal commas
reading-units = dates and times of column { QUOTED($column) } are { $unit }
dates = { JOIN($dates) }{ $more ->
    [0] { "" }
   *[other] ; { $more } more
}
date-with-ends = { $name ->
    [none] { "" }
   *[other] { $name }:{ " " }
}{ $date } (between { $low } and { $high })
planned-halfwidth = half-width { FEW($halfwidth, digits: 4) } for { $users } users{ $asked ->
    [none] { "" }
   *[other] ; the file has { $asked }
}
reports-simulated = reports simulated with seed { BARE($seed) }: the same law, repeatable, not private
from-tallies = { $survey }…, from the tallies of { $rounds ->
    [one] { $rounds } round
   *[other] { $rounds } rounds
}

# ---- an exported round beside its tally

reports-missing = { $folder }: { $missing } of { $exported } reports are missing{ $lost ->
    [none] { "" }
   *[other] { " " }({ JOIN($lost, by: ", ") }{ $more ->
        [true] , …
       *[false] { "" }
    })
}; { export-again }
reports-too-many = { $folder }: { $counted } reports are counted; { $exported } were exported; { export-again }
tally-not-published = { $folder }: its tally is not the one that the collector published, though it has as many reports;
    { export-again }
export-again = to export the round again, remove { $place } and run sotto survey export { $survey } --round { BARE($round) }
    --out { $out }
