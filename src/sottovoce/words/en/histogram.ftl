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

# ---- how it asks, how intervals were made, what they rely on

one-item-each = one item each, by subset selection
item-then-directions = one item, then directions where users are alike
too-few-users-to-find = too few users to find out where they are
too-few-observations-each = too few observations a user for their shares to lie close to one another
guarded-exact-binomial = guarded (exact binomial)
assumes-no-hidden-group = if no group of users hides far from the others, below the detection limit
instead-one-round-shares = one-round: about ± { G($halfwidth, digits: 2) } a share, guaranteed
instead-adaptive-shares = adaptive: { JOIN($halfwidths, by: ", ") }; its guaranteed intervals are usually wider than these
instead-halfwidth-shares = ± { G($halfwidth, digits: 2) } { $spread ->
    [none] if users are alike
   *[other] if users' shares differ by { G($spread, digits: 3) }
}
