### Mixtures.

component = component { BARE($number) }
component-line = { $mean }  [{ $interval }]  share { $share_interval ->
    [none] { FIXED($share, digits: 3) } ± { FIXED($share_error, digits: 3) }
   *[other] { FIXED($share, digits: 3) }  [{ FIXED(LOW($share_interval), digits: 3) }, { FIXED(HIGH($share_interval), digits: 3) }]
}
mean-and-share = { G($mean, digits: 4) } ({ SHARE($share) })
mixture = { JOIN($means, by: ", ") }, { $method }
mixture-cannot-tell = This survey cannot tell where kinds of users are{ $of ->
    [none] { "" }
   *[other] { " " }in { $of }
}. Ask more users, or for fewer kinds.
mixture-answer = Users are taken to be of { $components ->
    [one] { $components } kind
   *[other] { $components } kinds
}{ $of ->
    [none] { "" }
   *[other] { " " }in { $of }
}: { LIST($kinds) }. Each interval holds { $unless }
kind-of-users = about { SHARE($share) } of the users { $interval ->
    [none] where this survey cannot tell
   *[other] around { WITH_ENDS($mean, $interval) }
}
