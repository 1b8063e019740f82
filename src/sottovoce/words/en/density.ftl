### Densities.

coefficients = { BARE($n) } coefficients
trigonometric-coefficients = { BARE($n) } trigonometric coefficients
waves = { $n ->
    [one] { $n } wave
   *[other] { $n } waves
}
density = { $size } on [{ G($low) }, { G($high) }], { $method }{ $projected ->
    [true] , projected
   *[false] { "" }
}
density-size = { $size } on [{ G($low) }, { G($high) }]
density-answer = Of a user's observations{ $of ->
    [none] { "" }
   *[other] { " " }of { $of }
}, on average, half lie between about { FEW($low, digits: 3) } and { FEW($high, digits: 3) },
    in the middle { FEW($middle, digits: 3) }, as the curve has it.{ $unless ->
    [none] { "" }
   *[other] { " " }The curve lies in its band, { $unless }
}{ $range_misses ->
    [true] { " " }{ elsewhere }
   *[false] { "" }
}
density-error = typically { FEW($error) } over the range, besides what so few waves cannot show
density-band = ± { G($halfwidth, digits: 3) } on average ({ PERCENT($confidence) }, { $kind })
density-whole = ± { G($halfwidth, digits: 3) }, model ± { G($model, digits: 3) }, for the density itself { $assumes }
density-model = ± { G($halfwidth, digits: 3) }, { $assumes }

# ---- how bands were made, and what they rely on

pointwise = pointwise, for the first { BARE($coefficients) } coefficients, truncation not covered; model: users alike
guarded-everywhere = guarded, everywhere at once, for the density as { $waves ->
    [one] { $waves } wave shows
   *[other] { $waves } waves show
} it
assumes-one-group-around-average = if users form one group around the average, and no other group hides below the detection
    limit
assumes-waves-fall-off = if besides no wave that is left out is larger than { G($rest, digits: 2) }, about what the last ones
    measured may be, and those beyond wave { BARE($waves) } fall off like 1/j^{ G($decay) }: a density with a slope, without
    jumps or atoms

# ---- notes

users-far-apart = users lie too far apart for a second look to help: those who were left were asked as one-round asks
may-be-discrete = the waves do not fall off: observations may take a few values only (counts, ratings, rounded numbers), or
    crowd at places narrower than { G($narrow, digits: 2) }; a histogram may say more. This is a guess from private reports

# ---- how it asks

waves-shown = { BARE($shown) } of { waves } shown, { $by ->
    [caller] given
    [smoothness] by smoothness
   *[none] smoothness not known
}
coefficients-by = M = { BARE($size) } { $given ->
    [true] given
   *[false] by the rule at L797
}
waves-then-nearer = { waves }, on the full range and then from nearer by
waves-one-a-user = { waves }, one a user
coefficients-each = M = { BARE($size) } coefficients, { $how }

# ---- why a method cannot run

too-many-waves = a device computes at most { BARE($most) } waves: coefficients can be at most { BARE($coefficients) }
