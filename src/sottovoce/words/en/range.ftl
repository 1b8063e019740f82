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

# ---- how it asks, how the range was made, why there is none

bins-by-doubling = { BARE($bins) } bins by sign and doubling, for { $of ->
    [averages] the average
   *[observations] one observation
} of each user
bins-above-chance = bins above chance, widened by one
no-range-above-chance = no range found: with { $users } users at ε = { G($epsilon) } a bin shows once it holds about
    { SHARE($least) } of them, and none did; { no-range-above-chance-fix }
no-range-above-chance-fix = ask more users, or declare low and high
no-range-from-so-few = no range found: { $users } asked at ε = { G($epsilon) } show nothing, not even where all of them are
    alike; { no-range-from-so-few-fix }
no-range-from-so-few-fix = ask at least { $enough } users, or declare low and high
no-range-but-zero = no range found: all that is above chance is smaller than { G($smallest, digits: 3) } in size, around zero;
    { no-range-but-zero-fix }
no-range-but-zero-fix = declare low and high, or ask for the range alone, with a smaller size: sv.find_range(…, smallest=…),
    sotto estimate range --smallest
no-range-up-to-largest = no range found: users lie beyond ± { G($largest, digits: 3) }; { no-range-up-to-largest-fix }
no-range-up-to-largest-fix = declare low and high, or ask for the range alone, with a larger size: sv.find_range(…, largest=…),
    sotto estimate range --largest
