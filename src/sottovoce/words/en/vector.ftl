### Vectors.

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
vectors-outside = devices { $ball ->
    [l2] project what lies outside the declared ball onto it
   *[linf] clamp what lies outside the declared ranges
}; how many do is not known to anybody

# ---- what intervals rely on, also of sparse vectors

assumes-one-bell-each = if in every { $kind ->
    [sparse] column
   *[other] coordinate
} users form one group, roughly bell-shaped (yes or no: three or more of the rarer answer a user), and no other group hides
    below the detection limit
assumes-one-cloud = if users form one cloud, or a few large camps, and no group lies outside, hidden below the detection limit

# ---- how it asks

folds-of-coordinates = { $folds ->
    [1] on the full range
   *[other] { BARE($folds) } folds, one coordinate each
}
bins-of-coordinates = one coordinate a user, { BARE($bins) } bins each, then ends that hold the users
directions = directions of the whole vector, { $nearer ->
    [true] from ever nearer by
   *[false] everybody at once
}

# ---- what the other choice would have promised

instead-one-round-each = one-round: about ± { G($halfwidth, digits: 2) } a coordinate, guaranteed
instead-adaptive-each = adaptive: { JOIN($halfwidths, by: ", ") }, a coordinate; its guaranteed intervals are wider than that
instead-halfwidth-each = ± { G($halfwidth, digits: 2) } { $spread ->
    [none] if users are alike
   *[other] if users' means differ by { G($spread, digits: 3) }
}

# ---- why a method cannot run

too-few-for-folds = { $users ->
    [one] { $users } user
   *[other] { $users } users
} cannot fill { BARE($rounds) } × { BARE($folds) } folds: at least { BARE($needed) } users are needed, or fewer coordinates
too-few-for-coordinates = { $users ->
    [one] { $users } user
   *[other] { $users } users
} cannot fill { BARE($folds) } folds, one for each coordinate: more users are needed, or fewer coordinates
