### Histograms.

histogram = { JOIN($shares, by: ", ") }{ $more ->
    [true] { ", …" }
   *[false] { "" }
} (of { BARE($all) }), { $method }
label-and-share = { $label }: { FIXED($share, digits: 3) }
share-with-ends = { $label ->
    [none] { SHARE_WITH_ENDS($share, $interval) }
   *[other] { $label } { SHARE_WITH_ENDS($share, $interval) }
}
value-with-ends = { $label ->
    [none] { WITH_ENDS($share, $interval) }
   *[other] { $label } { WITH_ENDS($share, $interval) }
}
histogram-answer = The most frequent{ $of ->
    [none] { "" }
   *[other] { " " }{ $of }
} is { $label }: on average { SHARE_WITH_ENDS($share, $interval) } of a user's observations{ $then ->
    [none] { "" }
   *[other] ; then { LIST($then) }
}. Each interval holds { $unless }
