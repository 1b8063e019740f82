### Commands: what they say of surveys, plans and tallies, the demo, and the heads of pages that they write.

command-next = next: { $command }
command-try = saved; try: { $command }
command-what-if = what if
command-progress = { $name }: { $done } of { $total }, about { FIXED($left) } seconds left
command-never = never
command-far-future = in a far future

# ---- sotto survey

command-invitations = { $n ->
    [one] { $n } invitation
   *[other] { $n } invitations
} in { $file }: each lets one device answer once
command-administrator = administrator's token, shown this once: { $token }
command-backed-up = backed up to { $backup }; it holds every report: keep it safe
command-restored = restored { $restored ->
    [one] { $restored } survey
   *[other] { $restored } surveys
} from { $file }
command-scrubbed = { $scrubbed ->
    [one] { $scrubbed } report
   *[other] { $scrubbed } reports
} deleted; what is published stays
command-survey-token = shown once: it invites and closes over HTTP; the store keeps its SHA-256
command-survey-asks = { users }, each for ε = { G($epsilon) }: { $problem }, { $method }
command-survey-invite = { $access ->
    [invited] sotto survey invite { $short } --count { BARE($n) } --base https://… --out invitations.txt{ $store }
   *[open] share https://…/surveys/{ $survey }/participate#{ $survey }
}
command-survey-none = no surveys yet; see sotto survey create --help
command-survey-answered = { $answered } of { $asked }
command-survey-privacy = one report a user, { G($epsilon) }-locally-private for the whole collection
command-survey-users = { $enrolled } of { $users } enrolled, { $enrolment }, { $access }
command-survey-open = { $opens } to { $closes }
command-survey-minimum = { users } a round; fewer are not looked at
command-survey-kept = reports until { $days ->
    [0] the end
    [one] { $days } day after the end
   *[other] { $days } days after the end
}
command-survey-state = { $state ->
    [abandoned] abandoned: { $ended }
    [open] open; the open round closes { $closes } at the latest
   *[other] { $state }
}
command-round-under-way = { $state ->
    [early] not open yet
   *[other] open
}
command-round-closed-by = round { BARE($round) } was closed by { $by }
command-exported = round { BARE($round) } ({ $role }): { $reports ->
    [one] { $reports } report
   *[other] { $reports } reports
} in { $folder }, { $files ->
    [one] { $files } file
   *[other] { $files } files
}, { GROUPED($each, digits: 1) } bytes a report{ $written ->
    [true] { "" }
   *[false] ; it was there already
}

# ---- sotto tally, sotto plan

command-tally-written = wrote { $tally } and { $aside } in { $folder }
command-plan-next = sotto { $simulated ->
    [true] simulate --plan { $plan }
   *[false] estimate --plan { $plan } FILE --user COL --value COL{ $groups ->
        [true] { " --by COL" }
       *[false] { "" }
    }
}

# ---- sotto demo

demo-collector = sotto demo, a demonstration on this machine
demo-purpose = what is the average rating of lectures?
demo-title = { $name }: students rate lectures at ETH Zurich
demo-title-made-up = Made-up students rate made-up lectures
demo-asked = { $users } students gave { $ratings } ratings from { G($low) } to { G($high) }, { BARE($least) } to { BARE($most) } each. What
    is the average rating, if nobody may see a student's ratings, not even the one who asks?
demo-survey = A survey at ε = { G($epsilon) }, over HTTP on this machine
demo-rehearsed = A survey at ε = { G($epsilon) }, rehearsed in this process
demo-round = { $role }: { $answered } of { $asked }
demo-took = { FIXED($seconds) } s: { $visits ->
    [one] { $visits } visit
   *[other] { $visits } visits
} of { $users } devices, each checks the manifest and the question by itself
demo-interval = { FIXED($low, digits: 3) } … { FIXED($high, digits: 3) }{ "  " }({ intervals-of })
demo-truth = { FIXED($truth, digits: 3) }, which the survey never sees; { $inside ->
    [true] inside the interval
   *[false] outside the interval, as happens 1 time in 20
}
demo-meaning = other ratings would make no report more than { $times } times as likely
demo-report = { $payload } ({ $bytes ->
    [one] { $bytes } byte
   *[other] { $bytes } bytes
} in hexadecimal; { $message_bytes ->
    [one] { $message_bytes } byte
   *[other] { $message_bytes } bytes
} with its envelope)
demo-budgets = What other budgets give, rehearsed in this process
demo-next = Next: look at the collector's pages, or run a survey of your own
demo-next-full = Next: the full demo, 2,972 real students over HTTP, its transcript verified
demo-up = The collector is up; Ctrl-C stops it
demo-verify = sotto verify { $url }/surveys/{ $survey }/transcript

# ---- pages

page-of = { $heading }{ $of ->
    [none] { "" }
   *[other] { " " }of { $of }
}{ $by ->
    [none] { "" }
   *[other] { " " }by { $by }
}
page-of-several = Several answers from one survey
page-about-asked = Sottovoce: every user sent at most one report, randomised before it left.
page-about-rehearsed = Sottovoce: a rehearsal on data at hand. Every user of the data answered once, as a device would.
page-section-asked = How it was asked
page-framed = { CAPITAL($label) }:
