### Plans: what a survey will be worth, what that rests on, what would change it.

# ---- labels of lines

label-advice = advice
label-assumed = assumed
label-guarded = guarded
label-half-width = half-width
label-limit = limit
label-methods = methods
label-or = or
label-plan = plan
label-regime = regime

# ---- what was asked for

plan-users = { $users ->
    [one] { $users } user
   *[other] { $users } users
}
plan-observations = { $observations ->
    [one] { $observations } observation each
   *[other] { $observations } observations each
}
plan-epsilon = ε = { G($epsilon, digits: 4) }
plan-given = { plan-users }{ $observations ->
    [none] { "" }
   *[other] , { plan-observations }
}, { plan-epsilon }
plan-survey = { $problem } with { plan-users }{ $solved ->
    [users] { " " }(solved for)
   *[other] { "" }
}{ $observations ->
    [none] { "" }
   *[other] , { plan-observations }
}{ $solved ->
    [observations] { " " }(solved for)
   *[other] { "" }
}, { plan-epsilon }{ $solved ->
    [epsilon] { " " }(solved for)
   *[other] { "" }
}

# ---- what it will be worth

plan-answer = { plan-given }: expect to be off by at most { FEW($halfwidth) } in { PERCENT($confidence) } of such surveys
    ({ $measures }), if users are as assumed.{ $guarded ->
    [none] { "" }
   *[other] { " " }The interval that holds whatever the users are would be ± { FEW($guarded) }.
}
plan-answer-guaranteed = { plan-given }: expect an interval of ± { FEW($halfwidth) } around { $measures }, which holds whatever the
    users are in { PERCENT($confidence) } of such surveys. If users are as assumed it is so narrow, and the value typically off
    by { FEW($error, digits: 2) }.
plan-answer-interval = { plan-given }: expect an interval { $measures_more ->
    [none] about
   *[other] at least
} { FEW($width) } wide ({ $measures }); it allows for up to { PART($empty_at_most) } of the users without data{ $measures_more ->
    [none] { "" }
   *[other] ; { $measures_more }
}.
plan-answer-nothing = { plan-given }: such a survey would learn nothing, its interval would be as wide as the declared range.
plan-halfwidth = { FEW($halfwidth, digits: 4) } at { PERCENT($confidence) }, of { $measures }{ $measures_more ->
    [none] { "" }
   *[other] ; { $measures_more }
}{ $target ->
    [none] { "" }
   *[other] ; asked for { FEW($target, digits: 4) }
}
plan-none = there is none: { $why }
plan-in-short = half-width { FEW($halfwidth, digits: 4) } at { PERCENT($confidence) }
plan-guarded = { FEW($halfwidth, digits: 3) }: of the interval that holds whatever the users are
plan-empty = these half-widths allow for up to { PART($empty_at_most) } of the users without data; if none were allowed for,
    { FEW($halfwidth, digits: 3) }
plan-error = { FEW($error, digits: 3) }{ $target ->
    [none] { "" }
   *[other] , asked for { FEW($target, digits: 4) }
}: { JOIN($causes, by: ", ") } (added up in squares); { $dominant } dominates
plan-error-part = { $cause } { FEW($error, digits: 3) }
plan-method = { $method }, { $rounds ->
    [1] everybody at once
   *[other] { $rounds } rounds of { JOIN($users, by: " + ") } users
}, { $how }
plan-users-table = the interval, and how far off the value typically is, if …
plan-users-row = ± { PAD(FEW($halfwidth, digits: 3), length: 9) }{ PAD(FEW($error, digits: 3), length: 9) }{ $users }
plan-methods = half-width { JOIN($methods, by: ", ") }
plan-method-halfwidth = { $method } { $halfwidth ->
    [none] cannot run
   *[other] { FEW($halfwidth, digits: 3) }
}
plan-methods-alike-and-differing = half-width if users are alike, and if their own means differ by { FEW($spread, digits: 3) }
plan-method-alike-and-differing = { PAD($method, length: 14) }{ PAD(FEW($alike, digits: 3), length: 8) }  { $guaranteed ->
    [true] { PAD(FEW($differing, digits: 3), length: 8) }  guaranteed
   *[false] { FEW($differing, digits: 3) }
}
plan-method-cannot-run = { PAD($method, length: 14) }cannot run: { $why }
plan-limit = uses { PERCENT_2G($efficiency) } of what ε allows if users are alike
plan-regime = { $regime ->
    [regime-both-impossible] both impossible
    [regime-user-level-easier] user-level easier
    [regime-user-level-harder] user-level harder
   *[regime-equivalent] equivalent
}, by rates without constants: { $regime }
plan-colluders = { JOIN($parts, by: "; ") }
plan-colluders-move = each 1% of the users can move the answer by up to { FEW($shift, digits: 3) }
plan-colluders-decide = { SHARE($share, digits: 1) } decide the votes and with them everything

# ---- where it lies in the paper's diagram

regime-both-impossible = neither n users with T observations nor nT users with one get anywhere: more users, larger ε
regime-user-level-easier = user-level privacy does better than nT single items: each user finds the support alone
regime-user-level-harder = nT single items would do better; more observations will not help, more users will
regime-equivalent = as good as nT users with one item each; more observations help as much as more users

# ---- advice

plan-learns-nothing = this survey would learn nothing: its interval is as wide as the declared range
plan-twice-the-users = twice the users would leave { SHARE($left) } of the half-width
plan-observations-do-not-help = more observations will not help; { $users_help ->
    [true] you need more users
   *[false] nor would twice the users
}{ $epsilon_helps ->
    [true] , or a larger epsilon
   *[false] { "" }
}
plan-observations-help-as-users = twice the observations help about as much as twice the users
plan-twice-observations-or-users = twice the observations would leave { SHARE($observations) } of the half-width, twice the users
    { SHARE($users) }
plan-wrong-place = { SHARE($share) } of the error comes from choosing the wrong place: more users settle that first
plan-relies-on-nothing = this relies on nothing: if users differed as much as they can, the half-width would be
    { FEW($halfwidth, digits: 3) }
plan-relies-on-users-alike = this relies on users being alike; state spread= if they may differ, or take a guaranteed way

# ---- what if, and other ways

plan-change = { $factor ->
    [0.5] half
    [2] twice
   *[other] { $factor } times
} the { $quantity ->
    [epsilon] ε
   *[other] { $quantity }
}
plan-way = { $unknown } = { $unknown ->
    [epsilon] { G($value, digits: 4) }
   *[other] { $value }
}, all else as given
plan-way-cannot = { $unknown } alone cannot: { FEW($halfwidth, digits: 3) } at best

# ---- a budget that no device answers

plan-epsilon-too-large = no device answers above ε = { $most } in one question: this plan is for ε = { $planned }, not for
    { G($asked) }, and no survey with { G($asked) } can be made
plan-epsilon-least = if users are alike, no protocol with ε = { G($asked) } has a half-width below { FEW($halfwidth, digits: 3) }
plan-epsilon-paper = on real numbers the paper's method would have { FEW($halfwidth, digits: 3) } with ε = { G($asked) }, for answers
    at the ends
plan-epsilon-several-coordinates = method="theory" asks a user for several coordinates, up to 16 each: there ε may be up to
    { $most }

# ---- what is assumed about the users

crowd-as-given = users as given
crowd = { JOIN($spreads, by: " or ") }, { $within ->
    [none] observations as spread as the range allows
   *[other] { crowd-within }
}{ crowd-around }
crowd-over-a-sixth = { JOIN($spreads, by: " or ") }, each user's observations spread over a sixth of the range (standard
    deviation){ crowd-around }
crowd-within = within { G($within) }
crowd-around = { $around ->
    [none] { "" }
   *[other] , around { G($around) }
}
crowd-spread = { $spread ->
    [0] users alike
   *[other] users' own means differ by { FEW($spread, digits: 4) }
}
crowd-of-shares = { JOIN($spreads, by: " or ") }, categories equally large
crowd-spread-of-shares = { $spread ->
    [0] users alike
   *[other] users' own shares differ by { G($spread) }
}
crowd-of-centres = users' averages { $around ->
    [none] between two centres
   *[other] around { G($around) }
}, { $spread ->
    [0] all alike
   *[other] with a standard deviation of { G($spread) }
}
crowd-of-groups = groups alike, and users' own means a tenth of the range apart unless stated
crowd-of-bins = nothing: half of the users in one bin, for the figure

# ---- several answers from one survey

several-plan-take = take { $split }: { $why }
several-plan-taken = Take { $split }: { $why }.
several-plan-halfwidth = ± { FEW($halfwidth, digits: 3) }, { $method }

# ---- comments of a plan's file

plan-file = A plan made by Sottovoce: what is asked, of whom, and what is assumed about them.
plan-file-simulate = { PAD("sotto simulate --plan THIS", length: 36) }rehearse it with made-up users
plan-file-estimate = sotto estimate --plan THIS DATA --user COL --value COL{ $by ->
    [true] { " " }--by COL
   *[false] { "" }
}    rehearse it on data
plan-file-epsilon = α in the paper; one report is private to this degree for a user's whole collection
plan-file-observations = about so many per user
plan-file-delta = half-width of a bin of the vote, in half-ranges
plan-file-assumed-spread = standard deviation of the users' own means; 0: users alike
plan-file-assumed-within = standard deviation of one user's observations
plan-file-assumed-around = where the users' means lie

# ---- what problems estimate, and of what number an error is told

measures-cdf = a share by its expected error
measures-cdf-guarded = the guarded band is wider, as sotto simulate shows
measures-component = a component's mean, on average, lost ones included
measures-component-placed = components evenly placed, with equal shares
measures-cover = a coordinate of the chosen centre, on average
measures-density = the density on the unit interval, root mean square
measures-groups = a number of a group, on average
measures-histogram = a share, on average
measures-mean = the mean
measures-quantile = a quantile by its expected error
measures-quantile-guarded = guarded intervals are wider, as sotto simulate shows
measures-range = the share of the users in one bin
measures-sparse = a coordinate that is not zero, on average
measures-vector = a coordinate, on average
