### Ranges.

range = { $interval ->
    [none] no range found
   *[other] { G(LOW($interval)) } … { G(HIGH($interval)) }
}, { $method }
range-answer = { $interval ->
    [none] No range was found for users' { range-of }; the warning says why.
   *[other] Users' { range-of } lie between { G(LOW($interval)) } and { G(HIGH($interval)) }, but for at most { PART($most) } of them: declare these
    as low and high.
}
range-of = { $held }{ $of ->
    [none] { "" }
   *[other] { " " }of { $of }
}
range-none = none found
range-ends = { G(LOW($interval)) } … { G(HIGH($interval)) }, { $kind }
range-outside = about { PART($outside) } of the users, at most { PART($most) } ({ PERCENT($confidence) }, whatever the users
    are)
