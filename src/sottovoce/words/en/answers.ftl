### Answers: what every kind of answer says, and what each kind says of its own.

# ---- labels of lines

label-answer = answer
label-assumes = assumes
label-band = band
label-bound = bound
label-chosen = chosen
label-collection = collection
label-colluders = colluders
label-cover = cover
label-data = data
label-density = density
label-empty = empty
label-error = error
label-estimand = estimand
label-estimate = estimate
label-groups = groups
label-hidden = hidden
label-instead = instead
label-interval = interval
label-intervals = intervals
label-lead = lead
label-left-out = left out
label-meaning = that is
label-method = method
label-model = model
label-note = note
label-nothing = nothing
label-outside = outside
label-privacy = privacy
label-quantiles = quantiles
label-range = range
label-selected = selected
label-shape = shape
label-share = share
label-shares = shares
label-split = split
label-top = top
label-truth = truth
label-users = users
label-warning = warning
label-whole = whole

# ---- numbers in lines and tables

table = { TABLE($rows, left: 1) }
fixed = { FIXED($value, $digits) }
fixed-ends-dots = { FIXED($low, $digits) } … { FIXED($high, $digits) }
fixed-ends-comma = { FIXED($low, $digits) }, { FIXED($high, $digits) }
padded = { PADDED($value, $digits, $width) }
padded-without-minus-zero = { PADDED($value, $digits, $width, sign: "z") }
bare = { BARE($n) }
cut = { CUT($text, $length) }
number-short = { G($value, digits: 4) }
listed = { JOIN($parts, by: ", ") }
coordinates = ({ JOIN($values, by: ", ") }{ $more ->
    [true] { ", …" }
   *[false] { "" }
})
column-share = share
column-value = value
column-model = model
column-truth = truth
column-users = users
column-kind = { $kind ->
    [normal-approximation] normal
    [normal-approximation-at-places] normal
   *[other] guarded
}
so-many-more = { $count } more
and-more = … { $count } more
as-written = { $text }

# ---- how intervals were made

guarded = guarded
normal-approximation = normal approximation
intervals-each = { PERCENT($confidence) } each, { $kind }
intervals-of = { PERCENT($confidence) }, { $kind }

# ---- what they rely on

unless = unless { $each ->
    [true] it is one of the unlucky ones
   *[false] this survey is one of the unlucky ones
} ({ UNLUCKY($confidence) }){ $assumes ->
    [none] .
    [assumes-nothing] , whatever the users are.
    [assumes-nothing-about-users] , whatever the users are.
    [assumes-model-of-components] .
    [as-written] .
   *[other] , provided { $assumes }.
}
assumed = { $assumes }{ $range_misses ->
    [true] ; but what lies outside the declared range counts as its ends
   *[false] { "" }
}
assumes-nothing = nothing: { $several ->
    [true] they hold
   *[false] it holds
} whatever the users are
assumes-few-without-data = that at most { PART($empty_at_most) } of the users hold no observation
assumes-one-distribution = that the observations of all users come from one distribution: choosing this method asserts it
assumes-one-group-of-averages = that the averages of the users form one group, which may lean
assumes-covered-by-last-round = that nobody is beyond the interval that the last round asked about, but for the tails it
    allows for
assumes-averages-near = that users are alike, their averages near one another: choosing this method asserts it
assumes-averages-near-contradicted = { assumes-averages-near }; the votes contradict it
assumes-one-bell = if users form one group, roughly bell-shaped (yes or no: three or more of the rarer answer a user), and
    no other group hides below the detection limit
hidden-users = up to { PART($share) } of the users could be elsewhere unseen{ $shift ->
    [none] { "" }
   *[other] { " " }and move the truth by { FEW($shift) }
}
elsewhere = What lies outside the declared range counts as its ends, so the truth may be elsewhere: see the warning.

# ---- where the error comes from

error-part = { $cause } { FEW($error) }
error-causes = { $causes ->
    [none] { "" }
   *[other] : { JOIN($causes, by: ", ") } (added up in squares)
}
error-typically = typically { FEW($error) }{ error-causes }
error-in-length = typically { $of ->
    [shares] { G($error, digits: 2) }
   *[other] { FEW($error) }
} in length, over all { $of }{ error-causes }

# ---- privacy and method

whole-collection = its whole collection
privacy-statement = { $users ->
    [one] The only user
   *[other] Each of the { $users } users
} sent at most one report; it is { G($epsilon) }-locally-private for { $protects }.
privacy-meaning = had a user held anything else, no report would be more than { COMMAS($times) } times as likely, or as
    unlikely
method = { $chosen }{ $delta ->
    [true] ; Δ is half the width of a bin, in half-ranges
   *[false] { "" }
}
users-per-round = { JOIN($users, by: " + ") }
chosen = { $method ->
    [none] { JOIN($parts) }
   *[other] { $method }: { JOIN($parts) }
}
chosen-by-caller = asked for
chosen-by-baseline = baseline
chosen-by-simulation = baseline, simulation only
chosen-by-test = only plumbing is tested
auto-takes = auto takes { $method }
auto-by-error = predicted error { G($error, digits: 3) }{ JOIN($others, by: "") }
auto-other-error = , { $method } { G($error, digits: 3) }
auto-by-users = auto takes { $method }: if { $users }, { $halfwidth ->
    [none] error { FEW($error, digits: 3) }
   *[other] interval ± { FEW($halfwidth, digits: 3) }, error { FEW($error, digits: 3) }
}{ $several ->
    [true] { " " }on average
   *[false] { "" }
}{ $guaranteed ->
    [true] , guaranteed
   *[false] { "" }
}
auto-other = { $method } { $halfwidth ->
    [none] { FEW($error, digits: 3) }
   *[other] ± { FEW($halfwidth, digits: 3) }, error { FEW($error, digits: 3) }
}{ $guaranteed ->
    [true] , guaranteed
   *[false] { "" }
}{ $below ->
    [none] { "" }
   *[other] { " " }(taken only below { FEW($below, digits: 3) })
}
auto-refused = { $method } cannot run: { $why }
users-as-given = users are as given
users-assumed = { JOIN($users, by: " or ") }
users-alike = users are alike
users-differ-by = users' own means differ by { FEW($spread, digits: 3) } ({ SHARE($part) } of the range)
users-in-two-camps = users are in two camps, seven and three in ten
users-few-far-away = { SHARE($part) } of the users are far from the others
means-differ-by = differ by { FEW($spread, digits: 3) } ({ SHARE($part) } of the range)
own-means-differ-by = users' own means { means-differ-by }
range-found-first = the range { G($low) } … { G($high) } was found first: { $asked } users were asked for it and for nothing
    else
instead-one-round = one-round: about ± { FEW($halfwidth) }, guaranteed
instead-adaptive = adaptive: { JOIN($halfwidths, by: ", ") }, guaranteed
instead-halfwidth = ± { FEW($halfwidth) } { $spread ->
    [none] if users are alike
   *[other] if users' means differ by { FEW($spread, digits: 3) }
}

# ---- who answered, users without data, colluders

collection = answered { $answered } of { $asked }{ $roles ->
    [none] { "" }
   *[other] { " " }({ JOIN($roles, by: ", ") })
}{ $set_aside ->
    [none] { "" }
   *[other] ; set aside: { JOIN($set_aside, by: ", ") }
}
answered-in-role = { $role } { $answered } of { $asked }
set-aside = { $count } { set-aside-reason }
set-aside-rows = { $reasons ->
    [none] no row set aside
   *[other] { $rows ->
        [0] { "" }
        [one] { BARE($rows) } row
       *[other] { BARE($rows) } rows
    }{ $files ->
        [0] { "" }
       *[other] { $rows ->
            [0] { "" }
           *[other] { " and " }
        }{ $files ->
            [one] { BARE($files) } file
           *[other] { BARE($files) } files
        }
    } set aside: { JOIN($reasons) }
}
set-aside-at = { BARE($count) } × { set-aside-reason } ({ JOIN($places, by: ", ") }{ $more ->
    [true] { ", …" }
   *[false] { "" }
})
# One that an earlier release, or an error, has put in words is printed as it is.
set-aside-reason = { $reason ->
    [broken-link] a link to a file that is not there
    [copy-of-counted] a copy of a report that was counted
    [different-reports] its slot has sent different reports
    [export-not-there] an exported report that is not there
    [never-sent] a symbol that the channel never sends
    [not-a-report] not a report
    [not-asked] a report from a slot that was not asked
    [other-question] reports to another question
    [padding-not-zero] padding bits of a unary report are zero
   *[other] { $reason }
}
empty-allowed-for = the intervals allow for up to { PART($share) } of the users without data
empty-would-move = every user is taken to hold an observation; each 1% who hold none would move { $moved }, unseen:
    empty_at_most allows for them
empty-moves-number = this by up to { FEW($shift) } toward the middle
empty-moves-share = a share by up to 0.01
empty-moves-quantiles = each quantile by one percent of the levels at most
colluders = { PART($share) } of the users could move it by its half-width; { JOIN($shifts, by: ", ") }
colluders-shift = { SHARE($share) } by up to { FEW($shift, digits: 3) }

# ---- a rehearsal

rehearsal-data = { $users ->
    [one] { $users } user
   *[other] { $users } users
}, { $observations ->
    [one] { $observations } observation
   *[other] { $observations } observations
}{ $empty ->
    [0] { "" }
    [one] ; { $empty } user without any
   *[other] ; { $empty } users without any
}{ $missing ->
    [0] { "" }
    [one] ; { $missing } cell missing
   *[other] ; { $missing } cells missing
}{ $skipped ->
    [0] { "" }
    [one] ; { $skipped } odd cell skipped
   *[other] ; { $skipped } odd cells skipped
}{ $outside ->
    [none] { "" }
   *[other] ; { JOIN($outside, by: " and ") } outside the declared range
} (a survey does not see this)
outside-averages = { PART($share) } of the users' averages
outside-observations = { PART($share) } of the observations
truth-not-shown = not shown: { $why }
truth = { ROUNDED($value, $interval) }, { $inside ->
    [true] inside
   *[false] outside
} the interval{ JOIN($more, by: "") }; a survey does not see it
truth-inside-of = inside the interval for { $held } of { $all }{ JOIN($more, by: "") }; a survey does not see it
truth-in-brackets = the truth in brackets; a survey does not see it
truth-of-clamped = , of what is counted so
nobody-has-anything = ; nobody has anything in { LIST($groups) }
so-many-more-groups = { $count } more groups

# ---- several answers

name-and-answer = { $name }: { $answer }
several = { JOIN($answers) }; split by { $split }
several-split = { $split }: { $why }
