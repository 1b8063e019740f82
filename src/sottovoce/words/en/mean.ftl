### An answer that is one number, and means.

number = { FEW($value, digits: 4) }  [{ FEW(LOW($interval), digits: 4) }, { FEW(HIGH($interval), digits: 4) }] at { PERCENT($confidence) }, { $method }
number-answer = On average users' { $of ->
    [none] value
   *[other] { $of }
} is { ROUNDED($value, $interval) }{ $unless ->
    [none] , but the interval is the whole range: this survey cannot tell. Ask more users.
   *[other] ; the truth lies { BETWEEN($interval) }, { $unless }
}
number-answer-clamped = Counting whatever lies outside { G($low) } … { G($high) } as its nearer end, users' { $of ->
    [none] value
   *[other] { $of }
} is { ROUNDED($value, $interval) } on average{ $unless ->
    [none] , but the interval is the whole range: this survey cannot tell. Ask more users.
   *[other] ; that lies { BETWEEN($interval) }, { $unless } Where values outside can occur, the true average may be
    elsewhere: see the warning.
}
number-value = { ROUNDED($value, $interval) }
number-interval = { ROUNDED(LOW($interval), $interval) } … { ROUNDED(HIGH($interval), $interval) }  ({ PERCENT($confidence) }, { $kind })
number-model = { ROUNDED(LOW($interval), $interval) } … { ROUNDED(HIGH($interval), $interval) }  ({ PERCENT($confidence) }), { $assumes }

# ---- how intervals were made

guarded-normal = guarded (normal approximation)
exact-binomial = guaranteed (exact binomial)
normal-without-assumption = normal approximation, no assumption on the users
model-averages-near = model: users alike, so that their averages lie near one another
model-averages-near-contradicted = model, widened: the votes contradict that users' averages lie near one another
model-alike = model: users alike, as asserted
model-one-group = model: users in one group
model-covered = model: users where the first rounds saw them

# ---- how it asks

full-range = { $folds ->
    [1] on the full range
   *[other] { BARE($folds) } folds, one each
}
bins-of-delta = { BARE($bins) } bins (Δ = { G($delta, digits: 4) })
vote-then-refine = { $places ->
    [none] on the full range{ $folds ->
        [1] { "" }
       *[other] , { BARE($folds) } folds
    }
   *[other] { $places }{ $folds ->
        [1] { "" }
       *[other] , { BARE($folds) } folds a round
    }
}{ $symbols ->
    [none] { "" }
   *[other] , reports through a table of { BARE($symbols) } symbols
}
bins-then-ends = { BARE($bins) } bins, then where users are between two ends, and how far beyond
rounds-and-bins = up to { BARE($rounds) } rounds, { BARE($bins) } bins first

# ---- why a method cannot run

adaptive-rounds = adaptive has two or three rounds, not { BARE($rounds) }
two-rounds = { $method } has two rounds, rounds=1 is too few
