### Quantiles and distributions.

level = { $median ->
    [true] median
   *[false] { PLAIN_PERCENT($q) }
}
level-and-value = { $level } { G($value, digits: 4) }
quantiles = { JOIN($values, by: ", ") }{ $more ->
    [true] { ", …" }
   *[false] { "" }
}, { $method }
quantiles-answer = Of a user's observations{ $of ->
    [none] { "" }
   *[other] { " " }of { $of }
}, on average, { LIST($parts) }{ $more ->
    [0] { "" }
   *[other] { " " }and { $more } more
}. Each interval holds { $unless }{ $range_misses ->
    [true] { " " }{ elsewhere }
   *[false] { "" }
}
so-many-at-most = { $half ->
    [true] half
   *[false] { PLAIN_PERCENT($q) }
} are at most { WITH_ENDS($value, $interval) }
cdf = distribution at { $points ->
    [one] { $points } point
   *[other] { $points } points
} of [{ G($low) }, { G($high) }], { $method }
cdf-answer = Of a user's observations{ $of ->
    [none] { "" }
   *[other] { " " }of { $of }
}, on average, { LIST($parts) }. The whole curve lies in its band, { $unless }
share-at-most = { SHARE_WITH_ENDS($share, $interval) } are at most { FEW($point, digits: 4) }
up-to = ≤{ FEW($point, digits: 4) }
up-to-short = ≤{ G($point, digits: 4) }
cdf-line = { FIXED($share, $digits) }  { $ends }{ $truth ->
    [none] { "" }
   *[other] { "  " }(truth { FIXED($truth, $digits) })
}
more-points = { BARE($count) } more points
band-at-once = { PERCENT($confidence) } for all points at once, { $kind }
cdf-model = ± { G($halfwidth, digits: 2) } at most for all points at once, { $assumes }

# ---- how it asks, why it cannot, what intervals rely on

places = { $places ->
    [one] { $places } place
   *[other] { $places } places
}
places-at-once = { places }, { $items ->
    [true] one item
   *[false] one share
} a user
places-first = { places } first, then close by
too-few-users-for-places = { $users ->
    [one] { $users } user
   *[other] { $users } users
} cannot answer about { places }: ask about fewer, or more users
assumes-no-group-outside-radius = if no group of users too small to be seen lies outside the radius that the last round
    asked about
