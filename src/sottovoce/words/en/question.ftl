### What a question asks of a device, to its owner: what is computed, where it falls, what chance makes of it. Read by the
### package and by the page on which a person answers. What the page says in other words stands below it as on-page-….

## What a device computes. Numbers that a manifest leaves open are none.

computes-average = { $first ->
    [none] the average of all your observations
    [1] your first observation
   *[other] the average of your first { $first } observations
}{ $several ->
    [true] {" in the column that falls to you"}
   *[false] {""}
}
computes-average-or-first = the average of your observations, or of the first of them
computes-item = one of your observations, drawn at random
computes-each = each of your observations in turn
computes-share = the share of your observations up to a threshold
computes-basis = the average of a public wave over your observations
computes-rotated = one coordinate of your average, after a public rotation
computes-hashed = the sum of public signs over the columns in which your average is large
computes-residual = how far your average is from the nearest of the public points, times a public sign
computes-nearest = which of the public points is nearest to your average
computes-joint = roughly where your average lies, rounded at random to one of { $places ->
    [none] several
   *[other] { $places }
} places
computes-entry = the one that falls to you of { $vector }
computes-coefficient = what a public half of { $vector } adds up to, less the other half
computes-norm = how far { $vector } lie from a public point
computes-direction = in which of { $directions ->
    [none] several
   *[other] { BARE($directions) }
} public directions { $vector } lie from a public point, or, by the toss of a coin, in the opposite one
computes-category = the category{ $size ->
    [none] {""}
   *[other] , one of { $size },
} of one of your observations, drawn at random
computes-within = { $what }; { $within }

vector-averages = your averages
vector-inside = the places of your averages in { $ball ->
    [true] a declared ball
   *[false] their declared ranges
}
vector-large = the marks (1 or 0) of the columns in which your average is large
vector-categories = the shares of your observations in { $size ->
    [none] several
   *[other] { $size }
} categories
vector-below = the shares of your observations up to each of { $size ->
    [none] several
   *[other] { $size }
} thresholds
vector-cosines = the averages of { $size ->
    [none] several
   *[other] { $size }
} public waves over your observations

## Which observations count, where a question looks within a group.

within-dealt = only observations in the one of { $groups } groups that falls to you count
within-drawn = only observations in one of your groups, drawn at random, count, and its number goes along

## What becomes of what was not observed.

in-that-group = { $group ->
    [true] {" in that group"}
   *[false] {""}
}
nothing-middle = with nothing observed{ in-that-group }, the middle
nothing-at = with nothing observed{ in-that-group }, at { G($place) }
nothing-middle-category = with nothing observed{ in-that-group }, the category in the middle
nothing-random = with nothing observed{ in-that-group }, a place drawn at random
nothing-last = with nothing observed{ in-that-group }, the last place
nothing-large = what was not observed{ in-that-group } is not large
nothing-as-middle = what was not observed{ in-that-group } counts as the middle
nothing-as-zero = what was not observed{ in-that-group } counts as zero
nothing-as-point = what was not observed{ in-that-group } counts as that point

## Where it falls.

placed-position = where that lies { $range }, the nearer end if outside
placed-knots = between which two of { $knots } places { $range } that lies, and how near to each, the nearer end if outside
placed-grid = in which of { $bins } equal bins { $range } it falls, the nearest if outside
placed-bins = in which of { $bins } bins it falls
placed-number = as one of { $count } numbers
own-ranges = { $groups ->
    [one] {""}
   *[other] {" "}(in the first of { $groups } groups; each has its own range)
}
asked-range = from { G($low) } to { G($high) }{ own-ranges }
on-page-asked-range = from { NUMBER($low, digits: 6) } to { NUMBER($high, digits: 6) }{ own-ranges }

## What chance makes of it.

channel-coin = toss a coin that shows 1 with chance { SHARE($least, digits: 1) } at the low end, up to
    { SHARE($most, digits: 1) } at the high end
on-page-channel-coin = your device tosses a coin that shows 1 with chance { CHANCE($least) } at the low end of the scale,
    up to { CHANCE($most) } at the high end
channel-table = draw one of { BARE($symbols) } symbols; those near your place are the likelier ones, but no symbol is more
    than e^{ G($epsilon, digits: 4) } = { G($times, digits: 3) } times as likely from one place as from another
on-page-channel-table = your device draws one of { $symbols } numbers; yours moves their chances, but each may come
channel-subset = draw { $size } of { $items } bins; { $size ->
    [one] it is yours
   *[other] yours is among them
} with chance { SHARE($chance, digits: 1) }
on-page-channel-subset = your device draws { $size ->
    [one] one of { $items }; it is what goes in
   *[other] { $size } of { $items }; what goes in is among them
} with chance { CHANCE($chance) }
channel-unary = write one bit for each bin, 1 for your bin{ $reach ->
    [0] {""}
   *[other] {" and "}{ BARE($reach) } to each side
}; then flip every bit with chance { SHARE($chance, digits: 1) }
on-page-channel-unary = your device ticks the box of what goes in{ $reach ->
    [0] {""}
    [one] {" and "}{ $reach } box to each side of it
   *[other] {" and "}{ $reach } boxes to each side of it
}, of { $items } boxes, and then turns every box over with chance { CHANCE($chance) }
channel-laplace = count your place in { $steps } steps and add noise with a standard deviation of
    { G($deviation, digits: 3) } times the whole width
on-page-channel-laplace = your device adds chance to your number, with a standard deviation of
    { NUMBER($deviation, digits: 3) } times the whole width of the scale

## How large a report is.

report-size = { $uses ->
    [one] {""}
   *[other] { $uses } parts, one for each { $each ->
        [true] observation
       *[false] of { $groups } groups you are in
    }; {""}
}{ bytes } in all, the same size for everybody, whatever they hold
bytes = { $bytes ->
    [one] { $bytes } byte
   *[other] { $bytes } bytes
}

## What a survey may compute, by its manifest, and what that costs.

may-compute = { $what }{ $about ->
    [groups] , counting only what you hold in one of the groups; or that you hold nothing there
    [columns] , over { $columns } columns
   *[other] {""}
}{ $ranges ->
    [none] {""}
   *[other] {" "}({ JOIN($ranges, by: " or ") })
}
consent-span = from { G($low) } to { G($high) }
consent-span-to-the-last-digit = from { BARE($low) } to { BARE($high) }
on-page-consent-span = from { NUMBER($low, digits: 6) } to { NUMBER($high, digits: 6) }
on-page-consent-span-to-the-last-digit = { on-page-consent-span }
consent-from-you = one report, randomised on this device, about: { JOIN($what, by: "; or ") }
on-page-consent-from-you = one report, made random here, about { JOIN($what, by: "; or ") }
likelier-times = { $times ->
    [none] e^{ G($epsilon, digits: 4) }
   *[other] e^{ G($epsilon, digits: 4) } = { G($times, digits: 3) }
}
on-page-likelier-times = { $times ->
    [none] e^{ NUMBER($epsilon) }
   *[other] { NUMBER($times, digits: 3) }
}
consent-cost = ε = { G($epsilon) } for all you hold together: with other observations, no report would become more than { likelier-times }
    times as likely
on-page-consent-cost = ε = { NUMBER($epsilon) } for all you hold together: with any other data, no report would become more than
    { likelier-times } times as likely, or as unlikely. The page has computed this from the question itself.
consent-people = nothing is shown of a round that fewer than { $minimum } of { $users } users answer
on-page-consent-people = { $users } are asked; nothing is shown of a round that fewer than { $minimum } answer
consent-kept = reports are deleted { $days ->
    [0] when the survey ends
    [one] { $days } day after the survey ends
   *[other] { $days } days after the survey ends
}; their sums stay, and are public
some-names = { JOIN($names, by: ", ") }{ $more ->
    [0] {""}
   *[other] {" and "}{ $more } more
}

## What each problem estimates.

estimates-mean = the average over users of the mean of their observations
estimates-histogram = the average over users of their own shares of some categories, or of numbers in bins
estimates-quantiles = quantiles of the observations, each user counting alike
estimates-cdf = the share of the observations up to each point, averaged over users
estimates-vector = the average over users of the mean of their vectors, declared to lie in a ball or a box
estimates-sparse = the mean of vectors, nearly all of whose coordinates are zero
estimates-density = the average over users of the density of their own observations
estimates-mixture = the mean and the share of each of several kinds of users
estimates-cover = which of some given places most users' averages are nearest to
estimates-range = a range that holds the users, when nobody knows the unit
estimates-groups = a mean, a histogram or quantiles in each of some groups, membership being private too
