### Numbers in sentences: what the functions of the catalogue say.

between = between { $low } and { $high }
at = at { $low }
exactly = exactly { $value }
value-and-ends = { $value } ({ $ends })
one-in = 1 in { $count }
so-many-of-them = { $share } of them
seconds-after-1970 = { $seconds } seconds after 1970
list-and = { $most } and { $last }
users = { $n ->
    [one] { $n } user
   *[other] { $n } users
}
observations = { $n ->
    [one] { $n } observation
   *[other] { $n } observations
}
