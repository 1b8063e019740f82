### Verdicts: what a check of a transcript came to, and why a survey ended without an answer.

# ---- why a survey ended

ended-too-few = round { BARE($round) } ({ $role }): { BARE($answered) } of { BARE($asked) } answered, and at least
    { BARE($least) } must before anything is looked at
ended-too-few-to-ask = round { BARE($round) } ({ $role }) would ask { BARE($asked) } users, and at least { BARE($least) } must
    answer
ended-other-edition = the collector's release did not hold edition { BARE($edition) } of its method, and the time was over for
    which reports are kept
ended-no-time = no time was left to ask round { BARE($round) } ({ $role })
ended-silent-groups = round { BARE($round) } ({ $role }): { BARE($silent) } of { BARE($groups) } groups have no report; keep the
    round open or plan for fewer groups
ended-undecidable = its method could not go on from these tallies

# ---- steps

step-manifest = manifest
step-round = round { BARE($round) }
step-question = round { BARE($round) }: question
step-tally = round { BARE($round) }: tally
step-closing = round { BARE($round) }: closing
step-end = end
step-answer = answer
step-device = device

# ---- the verdict

verdict = { $kind ->
    [identical] identical
    [rounding] equal up to rounding
    [different] different at { $step }: { $why }
   *[not-replayed] not replayed: edition { BARE($edition) } of { $method }, needs release { $release }
}{ $kind ->
    [different] { "" }
    [not-replayed] { "" }
   *[other] { $state ->
        [abandoned] , up to where it was abandoned
        [running] { " " }so far
       *[done] { "" }
    }
}
verdict-words = { $kind ->
    [different] Something does not follow, at { $step }: { $why }.
    [not-replayed] This release cannot replay the survey: its method, { $method }, has changed since. The release that can is
        { $release }. All else that can be checked holds.
   *[other] { $state ->
        [running] So far everybody
       *[other] Everybody
    } was asked what was announced, and all that was published follows from what came before it{ $state ->
        [abandoned] { " " }up to where the survey was abandoned
       *[other] { "" }
    }{ $kind ->
        [rounding] , but for last digits that another machine rounds differently
       *[identical] { "" }
    }.
}

# ---- what was gone through

checked-manifest = manifest { $survey }…{ $announced ->
    [true] , the one that was announced
   *[false] { "" }
}: { $problem }, { $slots } slots in { $waves ->
    [one] { $waves } wave
   *[other] { $waves } waves
}, ε at most { G($epsilon) }
checked-no-invitation = not compared with any invitation: give --survey, the id in yours
checked-round = round { BARE($round) } ({ $role }): { $answered } of { $asked } answered{ $rounded ->
    [true] , equal up to rounding
   *[false] { "" }
}
checked-by-hand = round { BARE($round) } was closed by hand, by { $by ->
    [none] somebody
   *[other] { $by }
}: when was theirs to choose
checked-abandoned = abandoned: { $why }
checked-running = running: round { BARE($round) } ({ $role }) has not closed
checked-answer = answer: follows from the tallies{ $rounded ->
    [true] , up to rounding
   *[false] { "" }
}
checked-answer-facts = answer: its numbers follow from the tallies{ $rounded ->
    [true] , up to rounding
   *[false] { "" }
}; it was written in format 1, whose sentences are not compared
checked-ending-facts = abandoned: { $why }; it was written in format 1, whose sentence is not compared
checked-device = device: was asked what everybody was asked
checked-no-answer-here = device: this ledger holds no answer to this survey, so there was nothing to look for
checked-not-replayed = questions and answer were not replayed: their order, ε, vocabulary, counts and minimum were checked

# ---- what differs

differs-survey = expected survey { $expected }…, got { $got }…
differs-no-manifest = it is no manifest that can be kept to: { $error }
differs-rules = its rules are not those of its settings: { $difference }
differs-asked-although = it was asked although { $why }
differs-message = { $error }
differs-announced = it leaves what was announced: { $why }
differs-round-missing = expected round { BARE($expected) }, got round { BARE($got) }: one is missing
differs-slots = it asks slots from { BARE($first) } on; those below { BARE($used) } were asked before
differs-epsilon = its channel costs { G($proven) }; announced: { G($allowed) }
differs-over = the survey was over before: nobody was to be asked any more
differs-declared = it declares ε = { G($declared) }; expected { G($expected) }
differs-does-not-follow = it is not the one that follows from the tallies: { $difference }
differs-cannot-compute = it cannot be computed from the tallies: { $error }
differs-tally-missing = it is missing, although { $answered } answered and { $least } are enough
differs-tally-count = it counts { $users } users; the round says that { $answered } answered
differs-tally-too-few = only { $users } answered, of at least { $least }: nothing was to be shown
differs-abandoned-needlessly = it was abandoned although every round had enough users: { $says }
differs-abandoned-otherwise = it was abandoned because { $why }, and says: { $says }
differs-not-abandoned = it was not abandoned although { $why }
differs-answer-early = it came although round { BARE($round) } ({ $role }) was not asked
differs-answer-missing = it is missing, although the last round has closed
differs-device = this device was asked something else: question { $question }… is none of these
silent-too-few = only { $answered } answered round { BARE($round) }, of at least { $least }
silent-group = nobody answered in a group of round { BARE($round) }
untimely-early = it closed at { BARE($closed) }; it opened at { BARE($since) } or later
untimely-quota = by its quota, which is { $enough }; { $answered } answered
untimely-deadline = by its deadline, at { BARE($closed) }; it was to stay open until { BARE($due) } at least
untimely-late = by { $because ->
    [quota] its quota
   *[hand] hand
}, at { BARE($closed) }; its time was over at { BARE($latest) }, whoever came
untimely-silent = before its deadline, although { $why }: it was to stay open until then
difference = { $where ->
    [none] all of it
   *[other] { $where }
}{ $what ->
    [order] { " " }(order of names)
    [entries] { " " }(entries)
   *[value] { "" }
}: expected { $expected }, got { $got }
