### Sparse vectors.

name-and-value = { $name }: { G($value, digits: 4) }
sparse = { "{" }{ JOIN($values, by: ", ") }{ $more ->
    [true] { ", …" }
   *[false] { "" }
}{ "}" }, { BARE($selected) } of { BARE($all) } selected, { $method }
sparse-nothing = None of { $all ->
    [one] { $all } coordinate
   *[other] { $all } coordinates
} stands out: zero is published for all of them.
sparse-answer = { $selected } of { $all ->
    [one] { $all } coordinate
   *[other] { $all } coordinates
} { $selected ->
    [one] was
   *[other] were
} selected: { LIST($parts) }. Zero is published for the others. Each interval holds { $unless }
more-selected = { BARE($count) } more selected
selected = { BARE($selected) } of { $all ->
    [one] { $all } coordinate
   *[other] { $all } coordinates
}
selected-line = { FIXED($value, $digits) }  { $ends }{ $model ->
    [none] { "" }
   *[other] { "  " }({ $model })
}{ $truth ->
    [none] { "" }
   *[other] { "  " }(truth { FIXED($truth, $digits) })
}
sparse-model = in brackets: { $assumes }

# ---- what was left out, and how intervals were made

left-out-nothing = nothing
left-out-unseen = not selected: zero is published, whatever their mean is, and no interval; { $size ->
    [none] the votes were too few to say how large one must be to be seen
   *[other] if users are alike and one of them were of size { G($size, digits: 3) } or more, it would have had more votes than
    these in { G($of_hundred) } of 100 such surveys
}
left-out-by-votes = not selected: zero, by the votes within { G($within, digits: 3) } of it (L2498, where votes are right)
left-out-below-threshold = not selected: zero; its own estimate was at most { G($threshold, digits: 3) } in size, or among
    the smaller ones
model-votes-right = model: users alike, and the votes right
whole-collection-every-coordinate = its whole collection, every coordinate

# ---- notes

selected-by-chance = some selected coordinates have no more votes than chance gives to one of zero: more users, more
    observations, a larger epsilon or a smaller sparsity would settle it
more-may-differ = more coordinates may differ from zero: { BARE($selected) } are as many as the users can tell about
nothing-can-be-found = { $by ->
    [votes] too few observations: no average can be far enough from zero to get a vote
   *[threshold] too few users or observations: no coordinate can exceed the threshold
}

# ---- how it asks, and why

votes-by-directions = votes by directions of { $threshold ->
    [none] averages
   *[other] 1 where an average exceeds { G($threshold, digits: 3) }
}, { $sought ->
    [none] those that stand out
   *[other] { BARE($sought) }
} of { $all } coordinates, refined { $bins ->
    [true] where bins show their users
   *[false] on the full range
}
procedure-among = { $procedure } of { BARE($most) } among { $all } coordinates, { $how }
refined = { $way ->
    [one-round] refined in one round
   *[localised] refined where votes say
}
refined-as-asked = refined as asked for
sparse-rule = nα² = { G($strength, digits: 3) } is { $above ->
    [true] above
   *[false] at most
} C̃·d·log(dnTα²) = { G($limit, digits: 3) }
settings-of-selection = { JOIN($settings, by: " and ") } asked for, which threshold does not have
too-few-to-threshold = { $users ->
    [one] { $users } user
   *[other] { $users } users
} cannot fill two folds for each of { BARE($all) } coordinates

# ---- why a method cannot run

for-paper-and-theory = { JOIN($settings, by: ", ") }: for methods paper and theory only; leave it out, or name one of them
sparsity-needed = sparsity must be stated: how many means differ from zero at most (adaptive can do without)
settings-not-of-threshold = { JOIN($settings, by: " and ") }: of selection only, and procedure="threshold" selects nothing by
    votes
too-few-for-procedure = fewer users than folds: { $procedure } needs at least { BARE($needed) } users (got { BARE($users) }); a
    smaller sparsity, or more users, would help
too-few-to-select = too few users: selection needs at least { BARE($needed) } (got { BARE($users) }); { $needed ->
    [4] more users are needed
   *[other] a smaller sparsity, or more users, would help
}
