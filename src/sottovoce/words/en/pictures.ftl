### Words inside of pictures: titles, names of axes, what stands beside marks and below figures.

## In characters

picture-truth = truth
picture-truth-at = truth { FIXED($value, $digits) }
picture-more = … { $count } more
picture-more-coordinates = … { BARE($count) } more
picture-too-small = { group-unknown }
picture-none-selected = none of { picture-coordinates } was selected: there is no interval to draw
picture-coordinates = { $count ->
    [one] { $count } coordinate
   *[other] { $count } coordinates
}
picture-mean-and-share = { FIXED($mean, digits: 4) }, share { FIXED($share, digits: 2) }

## On a page

picture-value = { ROUNDED($value, $ends) }
picture-value-and-ends = { ROUNDED($value, $ends) }, { BETWEEN($ends) }
picture-one-scale = all on one scale, from { G($low) } to { $shares ->
    [true] { G($high, digits: 2) }
   *[false] { G($high) }
}
picture-curve = a curve from { G($low) } to { G($high) }, at most { G($top, digits: 3) } high
picture-caption = { JOIN($parts, by: " ") }
picture-caption-marks = The dot is the estimate, the band around it its interval.
picture-caption-model = The darker part holds if users are as the model has them.
picture-caption-truth = The upright line is the truth, which a survey does not see.
picture-caption-more = { $count } more are not drawn.
picture-caption-curve = The line is the estimate, the band around it is where the truth may lie.
picture-component = component { $number }, { SHARE($share) } of the users
picture-place = place { BARE($index) }

## Titles and axes

picture-title = { $what }, ε = { G($epsilon) }
picture-title-number = { G($value, digits: 4) }{ "  " }[{ G($low, digits: 4) }, { G($high, digits: 4) }]
picture-title-coordinates = { BARE($count) } coordinates
picture-title-selected = { BARE($count) } of { BARE($all) } coordinates
picture-title-categories = { BARE($count) } categories
picture-title-components = { $count ->
    [one] { $count } component
   *[other] { $count } components
}
picture-title-centre = centre { BARE($index) }, { FIXED($gap, digits: 1) } se ahead
picture-title-groups = { $of } by group
picture-axis-share = share
picture-axis-share-of-users = share of users
picture-axis-share-of-observations = share of observations
picture-axis-centre = centre

## Plans and comparisons

picture-as-planned = as planned
picture-caption-plan = Half-widths: shorter is more accurate. Methods are chosen anew in each case.
picture-title-plan = { $problem }, ε = { G($epsilon, digits: 3) }, { $method }
picture-title-comparison = { $repetitions } repetitions, ± standard error
picture-one-item = { $method } (one item)
picture-axis-users = users
picture-axis-halfwidth = half-width at { PERCENT($confidence) }
picture-axis-rmse = RMSE of the { $problem }

## Bars of a closed round

picture-alike = each user counting alike
picture-users-by-average = share of the users whose own average lies in each bin
picture-users-by-place = share of the users to whose own average each place is the nearest
picture-users-by-bin = share of the users in each bin
picture-observations-by-category = share of the observations in each category, { picture-alike }
picture-observations-by-bin = share of the observations in each bin, { picture-alike }
picture-observations-up-to = share of the observations up to each point, { picture-alike }
picture-reports-by-symbol = share of the reports that say each symbol, at the value that it counts as:
    noise is not taken out of these
picture-with-neighbours = { $what }; each counts its neighbours too, { BARE($reach) } to each side
picture-up-to = up to { G($point, digits: 4) }
picture-counts-as = counts as { FIXED($value, $digits) }
picture-bin = { $low ->
    [none] { $high ->
        [none] anywhere
       *[other] below { $high }
    }
   *[other] { $low } { $high ->
        [none] and above
       *[other] to { $high }
    }
}

## Plots of an audit

picture-audit-over = over
picture-audit-none = none
picture-audit-slack = Declared ε minus proven ε, on a logarithmic axis
picture-audit-slack-told = { BARE($dots) } dots in { BARE($rows) } rows; { $over ->
    [0] { picture-audit-none }
   *[other] { BARE($over) }
} over the budget; the least is left to { $name }: { $least }
picture-audit-declared = declared ε
picture-audit-proven = ε proven from reports
picture-audit-even = declared = spent
picture-audit-seen = ε that reports prove, against declared ε
picture-audit-seen-told = { BARE($tests) } tests; { $above ->
    [0] { picture-audit-none }
   *[other] { BARE($above) }
} above the diagonal, where more is seen than was declared
picture-audit-bit = place of the lowest bit
picture-audit-shares = { $title }: shares of reports by their lowest bit
picture-audit-shares-told = { SHARE($alone) } of the reports can come from one of the two collections only
