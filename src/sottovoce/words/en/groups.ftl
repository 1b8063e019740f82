### Estimates in groups.

group-unknown = too small to say
group-nobody = nobody
in-group = { $name } in { $group }
group-values = { $label }: { $values ->
    [none] { group-unknown }
   *[other] { JOIN($values, by: ", ") }
}
groups = { JOIN($groups) }{ $more ->
    [true] { "; …" }
   *[false] { "" }
} ({ $of } by group), { $method }
groups-cannot-tell = No group is large enough to say anything: this survey cannot tell. Ask more users.
groups-answer = { $level ->
    [none] { $what ->
        [mean] The users' average
        [histogram] The most frequent category
        [quantiles] The quantile
       *[other] { $what }
    }
   *[other] { CAPITAL($level) }
}{ $of ->
    [none] { "" }
   *[other] { " " }of { $of }
}: { LIST($parts) }{ $rest ->
    [0] { "" }
    [one] ; { $rest } more group below
   *[other] ; { $rest } more groups below
}. Each interval holds { $unless }{ $elsewhere ->
    [true] { " " }{ elsewhere }
   *[false] { "" }
}
groups-answer-of-all = Among users who have any, { $what ->
    [histogram] the shares{ $of ->
        [none] { "" }
       *[other] { " " }of { $of }
    } are on average
    [quantiles] quantiles{ $of ->
        [none] { "" }
       *[other] { " " }of { $of }
    } are on average:
   *[other] the average{ $of ->
        [none] { "" }
       *[other] { " " }of { $of }
    } is
} { LIST($parts) }{ $left ->
    [0] { "" }
   *[other] ; { $left } more below
}. { $each ->
    [true] Each
   *[false] The
} interval holds { $unless }{ $elsewhere ->
    [true] { " " }{ elsewhere }
   *[false] { "" }
}
group-share = { $name } in { $group }, { SHARE_WITH_ENDS($value, $interval) }
group-value = { WITH_ENDS($value, $interval, $then) }
group-value-then = { $level ->
    [true] { " " }at { $name }
   *[false] { "" }
} in { $group }
cell-share = { PART($share) }
cell-value = { ROUNDED($value, $interval) }
cell-with-ends = { ROUNDED($value, $interval) } [{ ROUNDED(LOW($interval), $interval) }, { ROUNDED(HIGH($interval), $interval) }]
cell-with-truth = { $value } ({ $truth })
more-groups = … { $count } more groups
more-numbers-in-each = … { $count } more numbers in each
groups-nothing = { SHARE_WITH_ENDS($share, $interval) } of the users have nothing that counts
