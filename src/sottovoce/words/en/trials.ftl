### Simulations and comparisons: who was asked, how far answers fell from the truth, methods side by side.

# ---- labels of lines and columns

label-bias = bias
label-coverage = coverage
label-mse = MSE
label-protects = protects
label-rmse = RMSE
label-figure-all = all
label-figure-band = band ±
label-figure-found = found
label-figure-lead = lead
label-figure-least = least
label-figure-model = model
label-figure-model-holds = model holds
label-figure-model-width = model ±
label-figure-number = number
label-figure-outside = outside
label-figure-right = right
label-figure-shares = shares
label-figure-shares-hold = shares hold
label-figure-uniform = uniform
label-figure-unknown = unknown
label-figure-width = width

# ---- made-up users

made-up-users = { $users ->
    [one] { $users } made-up user
   *[other] { $users } made-up users
}
made-up-users-and-observations = { made-up-users } with { made-up-observations } each
made-up-observations = { $observations ->
    [one] { $observations } observation
   *[other] { $observations } observations
}
made-up-vectors = { made-up-users } with { $observations ->
    [one] { $observations } vector
   *[other] { $observations } vectors
} of
made-up-on-range = { made-up-users-and-observations }, { $law } on [{ G($low) }, { G($high) }]{ $step ->
    [none] { "" }
   *[other] { " " }in steps of { G($step) }
}, { $spread ->
    [0] all alike
   *[other] own means differ by { G($spread) } (standard deviation)
}
made-up-of-mean = { made-up-on-range }; the truth is the mean of the distribution
made-up-of-density = { made-up-users-and-observations }, { $law } on [{ G($low) }, { G($high) }], { $concentration ->
    [none] all alike
   *[other] each with a law of their own (Dirichlet process, total weight { G($concentration) })
}
made-up-of-histogram = { made-up-users-and-observations } in { $categories } categories, { $law }, { $concentration ->
    [none] all alike
   *[other] each with shares of their own (Dirichlet, total weight { G($concentration) })
}
made-up-of-groups = { made-up-users-and-observations }{ $groups ->
    [none] { "" }
    [one] { " " }in { BARE($each) } of { $groups } group
   *[other] { " " }in { BARE($each) } of { $groups } groups
}, { SHARE($empty) } of them with nothing; the truth is that of the law
made-up-of-mixture = { made-up-users } with { made-up-observations } at the ends of the range each; kinds with means
    { JOIN($kinds, by: ", ") }{ $spread ->
    [0] { "" }
   *[other] , own means differ by { G($spread) } (standard deviation)
}
made-up-kind = { G($mean) } ({ SHARE($share) })
made-up-of-range = { made-up-users-and-observations }, { $shape }, in units of { G($scale) }; the truth is their mean
made-up-of-sparse = { made-up-vectors } { $columns ->
    [one] { $columns } column
   *[other] { $columns } columns
} each, of which { BARE($active) } have the mean { G($mean) }; all users alike
made-up-of-vector = { made-up-vectors } { $coordinates ->
    [one] { $coordinates } coordinate
   *[other] { $coordinates } coordinates
} each, every coordinate { $law }, { $spread ->
    [0] all users alike
   *[other] own means differ by { G($spread) } a coordinate
}
made-up-of-cover = { made-up-users } with averages around ({ JOIN($point, by: ", ") }{ $more ->
    [true] { ", …" }
   *[false] { "" }
}), { $spread ->
    [0] all alike
   *[other] { G($spread) } (standard deviation) by coordinate
}; the truth is centre { BARE($centre) }
made-up-coordinate = { G($value, digits: 4) }
made-up-as-planned = { made-up-users }, as the plan assumes them
made-up-as-assumed = { $users } made-up users, { $assumed }

# ---- users of a file

observed-users = { $users ->
    [one] { $users } user
   *[other] { $users } users
} of { $name }, about { made-up-observations } each; the truth is the average over users
observed-users-outside = { SHARE($share, digits: 1) } of the users' means lie outside the declared range; clamping them adds
    to the bias
truth-not-from-means = the truth about a { $problem } cannot be told from users' means
truth-file-too-long = the file is too long to be held, and the truth would take another walk through it
truth-no-finite-mean = the data have no finite mean

# ---- what the error of each problem is

trial-error-cdf = distance of the shares from the truth, root mean square over points
trial-error-cover = Euclidean distance of the chosen centre from the true point
trial-error-density = square root of the MISE, range scaled to [0, 1]
trial-error-groups = distance of a group's numbers from the truth, root mean square, where there are some
trial-error-histogram = Euclidean distance of the shares from the true ones
trial-error-mean = distance of the estimate from the truth
trial-error-mixture = Euclidean distance of the estimated means from the true ones
trial-error-quantiles = distance of a quantile from the truth, root mean square over levels
trial-error-range = distance of the true mean from the range, 0 inside
trial-error-vector = Euclidean distance of the estimate from the truth

# ---- further figures: the number, its standard error, and what it says

figure-number = { FEW($value, digits: 4) }
figure-short = { FEW($value, digits: 3) }
figure-signed = { SIGNED($value, digits: 4) }
figure-share = { SHARE($value, digits: 1) }
figure-give = { FEW($value) }
figure-with-error = { $number }{ $error ->
    [none] { "" }
   *[other] { " " }± { $error }
}
figure-alone = { $figure }
figure-on-average = { $figure } on average
figure-on-average-of-band = { $figure } on average, of the band
figure-on-average-over-range = { $figure } on average over the range, where the uniform density is 1
figure-width-of-model-interval = { $figure } on average: half-width of the model interval
figure-width-of-model-intervals = { $figure } on average: half-width of the model intervals
figure-width-of-model-band = { $figure } on average: half-width of the model band
figure-model-intervals-hold = { $figure } of the model intervals hold the truth
figure-model-bands-hold = { $figure } of the model bands hold the truth at all points
figure-model-bands-hold-smoothed = { $figure } of the model bands hold the smoothed density everywhere
figure-uniform = { $figure } is the error of the uniform density, which needs no data
figure-nearest-centre = { $figure } of the answers name the centre nearest to the point
figure-lead = { $figure } standard errors over the next centre, on average
figure-worst-group = { $figure } of the numbers of a survey's worst group are held, on average
figure-groups-too-small = { $figure } of the groups are too small to say
figure-simultaneous = { $figure } of the surveys, by simultaneous intervals
figure-from-true-shares = { $figure } from the true ones, on average
figure-share-intervals-hold = { $figure } of the intervals of shares hold the true one
figure-right-number = { $figure } of the answers have as many components as there are kinds
figure-ranges-found = { $figure } of the surveys name a range; the others say why not
figure-doublings = { $figure } doublings of the distance of the mean from the farther end, on average
figure-users-outside = { $figure } of the users, as estimated, on average
figure-columns-found = { $figure } of the columns with a mean other than zero, on average
figure-all-coordinates = { $figure } of the answers hold the truth in all coordinates at once

# ---- what came out

trial-repetitions = { $repetitions ->
    [one] { $repetitions } repetition
   *[other] { $repetitions } repetitions
}
trial-answer = Over { trial-repetitions } the estimate was typically { FEW($error) } off{ $held_percent ->
    [none] { "" }
   *[other] , and { G($held_percent, digits: 3) }% of the intervals held the truth; { PLAIN_PERCENT($confidence) } is the aim
}.
trial-none-ran = No method that protects whole collections could run.
trial-least = Least error, whole collections being protected: { JOIN($least, by: "; ") }.
trial-least-at = { $method } at ε = { $epsilon }, { FEW($error) } off{ $reference_error ->
    [none] { "" }
   *[other] { " " }({ $reference } { FEW($reference_error) })
}
trial-survey = { $problem }, ε = { JOIN($epsilons, by: ", ") }; { trial-repetitions }, seed { BARE($seed) }
trial-truth = { G($value) }
trial-mse = times that of { $reference }, on the same users and seeds, ± standard error
trial-coverage = share of the intervals that hold the truth; { PLAIN_PERCENT($confidence) } is the aim
trial-rmse = { $figure }: { $error }
trial-held = { SHARE($share, digits: 1) } ± { SHARE($error, digits: 1) }
trial-held-of-intervals = { $held } of the intervals hold the truth; { PLAIN_PERCENT($confidence) } is the aim

# ---- tables

trial-at-epsilon = ε = { G($epsilon) }
trial-costs = What a smaller budget costs: MSE, times that of the same method at ε = { $epsilon }
trial-method = { $method }{ $ran ->
    [none] { "" }
   *[other] { " " }({ $ran })
}{ $whole_collection ->
    [true] { "" }
   *[false] { " " }*
}
trial-reference = reference
trial-ratio = { BESIDE_ERROR($value, $error) }
trial-ratio-same = the same
trial-ratio-none = no error
trial-ratio-lower = { trial-ratio } × lower
trial-ratio-higher = { trial-ratio } × higher
trial-cannot-run = { $method } cannot run: { $why }
trial-single-observations = * { $method } protects single observations only{ $epsilon ->
    [none] { "" }
   *[other] , the whole collection at ε = { G($epsilon) }
}
trial-warned = { JOIN($methods, by: ", ") }, in the last repetition: { $warning }

# ---- a planned survey

planned-answer = The survey was typically { FEW($error) } off, and { FEW($predicted) } was predicted{ $held_percent ->
    [none] { "" }
   *[other] ; { G($held_percent, digits: 3) }% of its intervals held the truth
}.
planned-survey = { $method }, ε = { G($epsilon) }, { trial-repetitions }, seed { BARE($seed) }
planned-rmse = { $figure }; predicted { FEW($predicted, digits: 4) }, { FIXED($ratio, digits: 2) } times
planned-halfwidth-predicted = predicted { FEW($halfwidth, digits: 4) }
planned-coverage = { $held }; { PERCENT($confidence) } aimed at

# ---- pages

plan-page = Plan of a survey: { $problem }
plan-page-several = Plan of a survey: several answers
plan-page-about = Sottovoce: what a survey would be worth, computed before anybody is asked.
plan-page-parts = Half-width and method of each part
plan-page-how = How it would be asked
plan-page-what-if = What if
trial-page-simulated = A simulated survey: { $problem }
trial-page-planned = A planned survey, simulated: { $problem }
trial-page-compared = Methods side by side: { $problem }
trial-page-about = Sottovoce: surveys repeated by the exact simulator; nobody was asked.
result-page-numbers = Numbers
result-page-relied = What the numbers rely on
result-page-how = How it was done
result-page-privacy = Privacy
verdict-page = Does the answer follow?
verdict-page-about = Sottovoce: a survey's transcript, replayed from its announcement to its answer.
verdict-page-chain = What was gone through
