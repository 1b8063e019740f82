### The toy: how its answers speak.

up-to-answer = On average { SHARE_WITH_ENDS($value, $interval) } of a user's observations{ $of ->
    [none] { "" }
   *[other] { " " }of { $of }
} are at most { G($threshold) }.
up-to-share = { SHARE_WITH_ENDS($value, $interval) } ({ PERCENT($confidence) }, { $kind })
up-to-threshold = up to { G($threshold) }
