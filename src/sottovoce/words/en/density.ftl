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
