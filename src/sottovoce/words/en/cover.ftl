### The choice of a centre.

cover = centre { BARE($index) } of { BARE($size) }{ $centre ->
    [none] { "" }
   *[other] { " " }at { $centre }
}, share { FIXED($share, digits: 3) }, { FIXED($gap, digits: 1) } se ahead
place = place { BARE($index) } { $centre ->
    [none] of { $size }
   *[other] at { $centre }
}
cover-answer = { $others ->
    [true] { CAPITAL($place) } has the most votes, but others may have more users
   *[false] More users are nearest to { $place } than to any other place
}: about { SHARE_WITH_ENDS($share, $interval) } of the users are, { $unless }
cover-share = { FIXED($share, digits: 4) }  [{ FIXED(LOW($interval), digits: 4) }, { FIXED(HIGH($interval), digits: 4) }]  ({ PERCENT($confidence) }, { $kind })
cover-lead = { FIXED($gap, digits: 1) } standard errors ahead of the next: { $others ->
    [0] with { PERCENT($confidence) } confidence no other centre has more users
   *[other] { $others } of the others may have more users ({ JOIN($contenders, by: ", ") }{ $more ->
        [true] { ", …" }
       *[false] { "" }
    }; { PERCENT($confidence) } confidence)
}
cover-top = { BARE($index) }: { FIXED($share, digits: 3) } ± { FIXED($error, digits: 3) }
cover-radius = every point has a centre within { G($radius, digits: 4) }
cover-bound = expected squared distance at most { G($bound, digits: 4) } if all users see the same point, radius { G($radius) }

# ---- how the share was found, and what that relies on

guarded-largest = guarded, corrected for being the largest of many
assumes-nothing-about-users = nothing about the users: it is the centre that most of them are nearest to; that it is near a
    point of interest assumes that users lie around that point

# ---- notes

centre-not-settled = the chosen centre leads the next by { FIXED($gap, digits: 1) } standard errors only, and { $others } of the
    others may hold more users: more users, a larger epsilon or a coarser cover would settle it
theorem-promises-nothing = n·min(ε, ε²) is below 20·log N = { G($needed, digits: 3) }: the theorem promises nothing here

# ---- how it asks, and why the cover is as fine as it is

one-vote-a-user = one vote a user over { $centres } centres
votes-over-centres = { $method } votes over { $centres } centres
cover-width-by-question = Δ = { G($delta, digits: 3) } is the smallest whose cover fits a question; the theorem (L186) would go
    further
cover-width-by-observations = Δ = { G($delta, digits: 3) } is about what averages of T = { $observations } tell apart (L1077);
    the theorem (L186), for infinitely many, would go further
cover-width-by-nothing = Δ = { G($delta, digits: 3) } is the coarsest: for n = { $users } and ε = { G($epsilon) } the theorem
    (L186) promises nothing at any Δ
cover-width-by-theorem = Δ = { G($delta, digits: 3) } minimises the theorem's bound (L186) for n = { $users } and
    ε = { G($epsilon) }
cover-of-densities = { $width ->
    [none] { "" }
   *[other] { $width }{ "; " }
}a centre is a density, by its coefficients 2 to { BARE($last) } (L316)

# ---- why it cannot be asked

question-too-long = { $centres } centres of { $coordinates } coordinates make a question above { $bytes } bytes or { $numbers }
    numbers: take a coarser cover, or size= with an index found on the device
