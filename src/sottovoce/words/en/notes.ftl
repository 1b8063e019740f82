### Notes: what is to be known about an answer.

# ---- numbers and intervals

stated-what = { $what ->
    [share-outside] share outside
   *[other] { $what }
}{ $model ->
    [true] { " " }(model)
   *[false] { "" }
}
outside-interval = { $all ->
    [1] the { stated-what } lies outside its own interval: it is left as the method gives it; go by the interval
   *[other] { $count } of { $all } { stated-what }s { $count ->
        [one] lies outside its own interval ({ stated-names }): it is left as the method gives it
       *[other] lie outside their own intervals ({ stated-names }): they are left as the method gives them
    }; go by the intervals
}
outside-range = { $all ->
    [1] the { stated-what } lies outside its own declared range: it is left as the method gives it; go by the interval
   *[other] { $count } of { $all } { stated-what }s { $count ->
        [one] lies outside its own declared range ({ stated-names }): it is left as the method gives it
       *[other] lie outside their own declared ranges ({ stated-names }): they are left as the method gives them
    }; go by the intervals
}
stated-names = { JOIN($names, by: ", ") }{ $more ->
    [true] { ", …" }
   *[false] { "" }
}
pulled-to-middle = shrink: the value is pulled toward the middle of the range and so is biased; without that it is
    { G($value, digits: 4) }
few-could-hide = no interval of a model is given: as far as these reports can tell, users far from the others may move the
    value by up to { FEW($shift) }
not-shrunk = shrink is for few users on the full range: this value is not pulled toward the middle

# ---- the declared range

range-may-miss-users = the range may be wrong: about { SHARE($share) } of the users (at least { SHARE($least) }) lie at its
    { $end } end, within { FEW($reach, digits: 3) } of { G($at) }, and those { end-side } it are clamped; { end-advice }
range-may-miss-observations = the range may be wrong: about { SHARE($share) } of the observations (at least
    { SHARE($least) }) lie in the bin at its { $end } end, { $bin }, where those { end-side } it are counted too; { end-advice }
interval-touches-end = the interval touches the { $end } end of the declared range, { G($at) }: users may lie { end-side } it,
    where they are clamped; { end-advice }
quantiles-touch-end = { $count ->
    [one] the interval of { JOIN($levels, by: ", ") } touches
   *[other] the intervals of { JOIN($levels, by: ", ") } touch
} the { $end } end of the declared range, { G($at) }: observations may lie { end-side } it, where they are clamped;
    { end-advice }
end-side = { $end ->
    [low] below
   *[high] above
}
end-advice = { $end ->
    [low] unless no lower value can occur, as with ratings or yes and no, declare a lower low
   *[high] unless no higher value can occur, as with ratings or yes and no, declare a higher high
}
range-found = the range was found, not declared: up to { PERCENT_2G($most) } of the { $of ->
    [averages] users
   *[other] observations
} ({ PERCENT($confidence) }) may lie outside of it, where they count at its ends; the interval does not allow for them{ $groups ->
    [true] ; a group with fewer than that may lie outside entirely
   *[false] { "" }
}

# ---- users

few-reports = n·min(ε, ε²) = { G($strength, digits: 3) } is below { $enough }: the { $of ->
    [votes] votes
   *[reports] reports
} say little
asked-at-once = { $why ->
    [too-few-users-to-find] everybody was asked at once, as one-round does: { $why }
    [too-few-observations-each] everybody was asked at once, as one-round does: { $why }
    [look-twice] too few users to look twice: everybody was asked at once, as one-round does
    [users-to-find] too few users to find out where they are: everybody was asked at once, as one-round does
    [users-for-directions] too few users to find out where they are: everybody was asked at once
    [second-look] too few users, or observations, to look twice: everybody was asked at once, as one-round does
   *[place] too few users or observations to look for a place: everybody was asked at once, as one-round does
}
slots-by-arrival = slots were dealt as users arrived: those who came early and those who came late were asked different
    things
open-to-anybody = anybody could enrol, as often as the rate limit let them; one report in a hundred from colluders
    { $captured ->
    [true] could have decided where the others were asked, and with it the answer
   *[false] { $shift ->
        [0] could not have changed the answer
       *[other] could have moved the answer by up to { G($shift, digits: 3) }
    }
}

# ---- what a method assumes, and the reports contradict

wrong-place = { $of ->
    [component] the weakest chosen bin leads the strongest other by { FIXED($gap, digits: 1) } standard errors only: a
    component may be in the wrong place; more users, a larger epsilon or fewer components would settle it
   *[mean] the votes may have chosen the wrong place{ $of ->
        [coordinates] { " " }for some coordinates: more users, fewer coordinates or a larger epsilon
        [coefficients] { " " }for some coefficients: more users, fewer coefficients or a larger epsilon
       *[mean] : more users or a larger epsilon
    } would settle it, method="one-round" does without
}
unsettled-place = the first rounds did not settle where the users are: more users or a larger epsilon would,
    method="one-round" does without
users-differ = the reports contradict users alike: their averages differ more than chance allows, so the last round asked
    about bins or an interval that fit them; method="one-round" assumes nothing
users-elsewhere = the first round shows users far from the rest, against what this method assumes: the interval is widened by
    what may lie there; method="adaptive" or "one-round" allows for them
votes-elsewhere = { $places ->
    [1] a place
   *[other] { BARE($places) } places
} far from the winner got more votes than chance explains: about { PERCENT_2G($share) } of the users sit there, and count as if
    at the nearer end of where the others are; the interval is widened to allow for it, method="one-round" does without the
    assumption

# ---- users without data, and why a method does not allow for them

empty-at-most-not-for = empty_at_most is not for { $method }: { $why }; leave out one of the two
empty-users-vote = users without data vote too, and their votes may decide where all others are asked
empty-users-unknown = what users without data do to its intervals is not known
empty-users-not-alike = it takes every report for one of users who are alike, and those without data are not like the others

# ---- several things in one survey

split-asked-for = as asked for
split-one-part = one part has everybody
split-users = each part asks its own users with the whole ε, since { $why }
split-better = the other split would have { G($times, digits: 3) } times the expected squared error, on average
split-method = { $name } was asked for with method { $method }, and only means asked in one round fit into one report
split-only-means = only means, each asked in one round, fit into one report
split-no-method = method must be one of { $methods }; got '{ $method }'
split-refused = with a part of ε a part cannot be asked ({ $code })
