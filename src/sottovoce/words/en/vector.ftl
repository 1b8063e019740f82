### Vectors and sparse vectors.

vector = [{ JOIN($values, by: ", ") }{ $all ->
    [none] { "" }
   *[other] , … { BARE($all) } in all
}] ± { G($error, digits: 3) } in length, { $method }
vector-answer = On average { LIST($parts) }. Each truth lies in its interval, { $unless }{ $range_misses ->
    [true] { " " }{ elsewhere }
   *[false] { "" }
}
coordinate-is = { $name } is { WITH_ENDS($value, $interval) }
coordinate-with-ends = { $name } { WITH_ENDS($value, $interval) }
coordinates-more = so on for { $count } more
coordinate-line = { $value }  { $low } … { $high }{ $truth ->
    [none] { "" }
   *[other] { "  " }(truth { $truth })
}
more-coordinates = { BARE($count) } more coordinates
vector-model = ± { FEW($halfwidth) } on average  ({ PERCENT($confidence) } each), { $assumes }
name-and-value = { $name }: { G($value, digits: 4) }
sparse = { "{" }{ JOIN($values, by: ", ") }{ $more ->
    [true] { ", …" }
   *[false] { "" }
}{ "}" }, { BARE($selected) } of { BARE($all) } selected, { $method }
sparse-nothing = None of { $all ->
    [one] { $all } coordinate
   *[other] { $all } coordinates
} stands out: zero is published for all of them.
sparse-answer = { $selected } of { $all ->
    [one] { $all } coordinate
   *[other] { $all } coordinates
} { $selected ->
    [one] was
   *[other] were
} selected: { LIST($parts) }. Zero is published for the others. Each interval holds { $unless }
more-selected = { BARE($count) } more selected
selected = { BARE($selected) } of { $all ->
    [one] { $all } coordinate
   *[other] { $all } coordinates
}
selected-line = { FIXED($value, $digits) }  { $ends }{ $model ->
    [none] { "" }
   *[other] { "  " }({ $model })
}{ $truth ->
    [none] { "" }
   *[other] { "  " }(truth { FIXED($truth, $digits) })
}
sparse-model = in brackets: { $assumes }
