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

# ---- whose average it is, how it asks, what is protected

name-mean = mean
estimand-of-groups = { $groups ->
    [true] for each group, the average over users who have an observation in it { estimand-of } in it{ $drawn ->
        [true] ; who has some in several groups counts in one of them, drawn at random
       *[false] { "" }
    }
   *[false] the average over users who have any observation { estimand-of }
}
estimand-of = of the { $of ->
    [histogram] shares
    [quantiles] distribution
   *[mean] mean
} of their observations
symbols-dealt = { $groups ->
    [0] everybody
    [one] { $groups } group, one dealt to each slot
   *[other] { $groups } groups, one dealt to each slot
}, { BARE($symbols) } symbols and one for nothing
symbols-in-one-alphabet = { $groups } groups of { BARE($symbols) } symbols in one alphabet, and one for nothing
guarded-fieller = guarded (Fieller)
assumes-one-group-each = that nobody has something in more than one group
collection-and-groups = its whole collection, and in which groups it has something
collection-and-whether-any = its whole collection, and whether it has anything
groups-too-small = { JOIN($groups, by: ", ") }{ $more ->
    [0] { "" }
   *[other] { " " }and { BARE($more) } more
}: too small to say; the reports cannot tell { $count ->
    [one] it
   *[other] them
} from a group that nobody has anything in

# ---- why a method cannot run

too-few-users-for-groups = { $users ->
    [one] { $users } user
   *[other] { $users } users
} cannot be dealt { $groups } groups: each needs some
joint-needs-groups = joint needs groups: without any there is nothing to join
joint-needs-one-membership = joint is for memberships=1: who has something in several groups would count in one of them only,
    and another average would be estimated
