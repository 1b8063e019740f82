### The choice of a centre.

cover = centre { BARE($index) } of { BARE($size) }{ $centre ->
    [none] { "" }
   *[other] { " " }at { $centre }
}, share { FIXED($share, digits: 3) }, { FIXED($gap, digits: 1) } se ahead
place = place { BARE($index) } { $centre ->
    [none] of { $size }
   *[other] at { $centre }
}
cover-answer = { $others ->
    [true] { CAPITAL($place) } has the most votes, but others may have more users
   *[false] More users are nearest to { $place } than to any other place
}: about { SHARE_WITH_ENDS($share, $interval) } of the users are, { $unless }
cover-share = { FIXED($share, digits: 4) }  [{ FIXED(LOW($interval), digits: 4) }, { FIXED(HIGH($interval), digits: 4) }]  ({ PERCENT($confidence) }, { $kind })
cover-lead = { FIXED($gap, digits: 1) } standard errors ahead of the next: { $others ->
    [0] with { PERCENT($confidence) } confidence no other centre has more users
   *[other] { $others } of the others may have more users ({ JOIN($contenders, by: ", ") }{ $more ->
        [true] { ", …" }
       *[false] { "" }
    }; { PERCENT($confidence) } confidence)
}
cover-top = { BARE($index) }: { FIXED($share, digits: 3) } ± { FIXED($error, digits: 3) }
cover-radius = every point has a centre within { G($radius, digits: 4) }
cover-bound = expected squared distance at most { G($bound, digits: 4) } if all users see the same point, radius { G($radius) }
