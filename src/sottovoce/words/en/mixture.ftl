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

# ---- how it asks, how intervals were made, what they rely on

components = { $components ->
    [one] { $components } component
   *[other] { $components } components
}
components-and-bins = { components }, { $bins }
components-then-nearest = { $components ->
    [none] components as found
   *[other] { components }
}, { BARE($bins) } bins, then who is near which
components-were-counted = the number of components was chosen
chosen-by-caller-by-bins = asked for, with the bin rule of the pseudocode
by-model = model
model-components-alike = model: users of a component alike, components apart
assumes-model-of-components = the model, without which components are not defined: users of a component form one bell
    around its mean, components are apart, their number is right, and { $least_share ->
    [none] all can be found, which so few reports do not show
   *[other] none has less than { G($least_share, digits: 2) } of the users: a smaller one may be missed, and another told in
    its place
}

# ---- why a method cannot run

adaptive-without-constants = adaptive has no delta and no membership: those are constants of the paper's methods
adaptive-needs-wide-range = adaptive needs a range whose numbers can be told apart, less than 1e120 and more than 1e-120 wide;
    got { BARE($low) } to { BARE($high) }
adaptive-needs-users = adaptive asks in three rounds and needs at least 3 users, not { BARE($users) }
adaptive-components = adaptive looks for at most { BARE($most) } components, not { BARE($components) }
components-needed = { $method } needs components, the number of kinds
too-many-bins = Δ = { G($delta, digits: 3) } makes { $bins } bins, more than the { $most } that a vote holds; give delta, at
    least { G($least, digits: 3) }
too-few-bins = { BARE($components) } components need { BARE($needed) } bins, and Δ = { G($delta, digits: 3) } makes
    { BARE($bins) }; what would help: { JOIN($helps, by: ", or ") }
help-by-components = components={ BARE($components) }
help-by-observations = about { $observations } observations per user
help-by-proof-constant = more users or a smaller proof_constant, which limit T*
help-by-method = method="{ $method }"
help-by-delta = delta below { G($below, digits: 3) } (of half the range)

# ---- notes

component-may-not-exist = { component }: its share, { FIXED($share, digits: 3) } ± { FIXED($error, digits: 3) }, cannot be told
    from zero; it may not exist, and its interval is the whole range: try fewer components
component-may-be-elsewhere = { component } may be elsewhere, with a chance of { SHARE($chance) }: its interval holds the likely
    places; more users or a larger epsilon would settle it
component-hardly-above-zero = { component }: its share, { FIXED($share, digits: 3) } ± { FIXED($error, digits: 3) }, is hardly
    above zero
component-below-cut = { component }: its share, { FIXED($share, digits: 3) }, is below { G($cut, digits: 3) }; the middle of its
    bin is returned, and it may not exist: try fewer components
component-beyond-residuals = { component }: its mean lies beyond what residuals around its bin can say, because it was divided
    by too uncertain a share
component-of-users-who-differ = { component }: its users differ, by about { G($spread, digits: 3) } (standard deviation), more
    than { $observations } observations explain: it may be several components
components-overlap = components { BARE($first) } and { BARE($second) } overlap: they may be one
components-may-be-missed = components with a share below { G($visible, digits: 3) } cannot be told from noise by { $others_move ->
    [true] { $voters ->
        [one] { $voters } voter
       *[other] { $voters } voters
    }
   *[false] { $voters } voters
} at ε = { G($epsilon) }, and the smallest share found is { G($smallest, digits: 3) }{ $others_move ->
    [true] : if one was missed, the others have moved by a place, and their intervals may belong to their neighbours
   *[false] { "" }
}
users-near-no-component = about { SHARE($share) } of the users are near none of the components: there may be more
components-counted = the number of components, { BARE($count) }, was chosen from the reports, which hardly show one with a share
    below { G($visible, digits: 2) }{ $doubtful ->
    [true] , and is unreliable here: state components= if you know it
   *[false] ; users who differ within a component would change it, too
}
