### The dashboard of a collector: surveys as they happen, and a new one. What the plain pages say too is in pages.ftl.

dashboard-nav = Pages
dashboard-surveys = Surveys
dashboard-new-survey = New survey
dashboard-numbers = The numbers
dashboard-copy = Copy
dashboard-copied = Copied.
dashboard-not-copied = This browser does not copy for pages: the text is selected, copy it yourself.
dashboard-cancel = Cancel
dashboard-plus-minus = ± { NUMBER($halfwidth, digits: 3) }
dashboard-range = { NUMBER($low) } to { NUMBER($high) }
dashboard-round = Round { BARE($round) }: { $role }

## What is wrong

dashboard-trouble-unreachable = The collector cannot be reached.
dashboard-trouble-unreachable-advice = What is shown may be old; the page tries again by itself.
dashboard-trouble-slow = The collector did not answer in time.
dashboard-trouble-slow-advice = The page tries again by itself.
dashboard-trouble-token = The collector refused this token.
dashboard-trouble-missing = This collector knows no such survey.
dashboard-trouble-strange = The collector's answer was not what this page understands.
dashboard-trouble-strange-advice = Load the page again: it may be older than the collector.
dashboard-trouble-busy-advice = Try again in a moment.
dashboard-trouble-status = The collector answered with status { BARE($status) }.

## Tokens

dashboard-access-heading = For whoever runs surveys
dashboard-access-why = With the administrator's token this page lists all surveys, and makes new ones. The token stays in this
    tab, and is sent to this collector only.
dashboard-access-why-new = A new survey, and the planner, need the administrator's token. The token stays in this tab, and is
    sent to this collector only.
dashboard-access-why-survey = To invite people or to close a round, type the survey's token, or the administrator's. It stays in
    this tab, and is sent to this collector only.
dashboard-access-label = Administrator's token
dashboard-access-label-survey = The survey's token, or the administrator's
dashboard-access-hint = sotto survey administrator, on the collector's machine, makes a new one; the one before then opens
    nothing.
dashboard-access-hint-survey = It was shown once, when the survey was created.
dashboard-access-use = Use this token
dashboard-access-forget = Forget the tokens of this tab
dashboard-access-forgotten = Tokens are forgotten.
dashboard-access-odd = That cannot be a token: letters, digits and signs without blanks.
dashboard-access-taken = The token is kept in this tab.

## The list of surveys

dashboard-list-all = All surveys of this collector, the newest first.
dashboard-list-public = The newest surveys of this collector.
dashboard-list-survey = Survey
dashboard-list-state = State
dashboard-list-people = People enrolled
dashboard-list-enrolled = { $enrolled } of { $users }

## Where a survey stands

dashboard-state = { $state ->
    [early] not open yet
    [open] running
    [done] done
    [abandoned] ended without an answer
   *[other] { $state }
}
dashboard-survey-loading = Asking the collector…
dashboard-survey-about = asked by { $collector } · { page-asks-estimates }
dashboard-survey-early = It opens on { MOMENT($opens) }.
dashboard-survey-open = Round { BARE($round) } is open: { $answered } of { $asked } answered.
dashboard-survey-done = The survey is over, and its answer is public.
dashboard-survey-other-edition = This release cannot go on with the survey: its method has changed. { $release ->
    [none] The release that announced it
   *[other] { $release }
} finishes it, on the same store. Nothing is lost until its reports must be deleted.
dashboard-survey-abandoned = The survey ended without an answer: { $why }.
dashboard-survey-said-opened = Round { BARE($round) } has opened.
dashboard-survey-said-half = Half of round { BARE($round) } have answered.
dashboard-survey-said-done = The survey is over: the answer is shown.
dashboard-survey-said-abandoned = The survey ended without an answer.

## Who has answered

dashboard-progress-heading = Who has answered
dashboard-progress-overall = { $answered } of { $users } people have answered.
dashboard-progress-kept = { $left } are kept for later rounds.
dashboard-progress-never = { $left ->
    [one] { $left } seat was
   *[other] { $left } seats were
} not asked.
dashboard-progress-open = open
dashboard-progress-closed = closed
dashboard-progress-answered = { $answered } of { $asked } answered
dashboard-progress-closes = Closes after { $quota ->
    [one] { $quota } answer
   *[other] { $quota } answers
}{ $closes ->
    [none] {""}
   *[other] , or on { MOMENT($closes) }
}.
dashboard-progress-closed-at = Closed on { MOMENT($closed) }: { $because ->
    [quota] enough had answered
    [deadline] its time was up
    [hand] closed by hand ({ $by })
   *[other] { $because }
}.
dashboard-progress-minimum = minimum { $minimum }
dashboard-progress-bar = { $answered } of the { $asked } people asked have answered. Nothing is looked at before { $minimum } have;
    the round closes after { $quota }.
dashboard-progress-head-round = Round
dashboard-progress-head-asked = Asked
dashboard-progress-head-answered = Answered
dashboard-progress-head-share = Share
dashboard-progress-row = { BARE($round) }, { $role }

dashboard-refused-heading = Uploads that were refused
dashboard-refused-none = None so far.
dashboard-refused-some = { $total ->
    [one] { $total } upload
   *[other] { $total } uploads
} refused. None of them counts elsewhere here.
dashboard-refused-reason = Reason
dashboard-refused-code = Code
dashboard-refused-uploads = Uploads

## What a round saw

dashboard-bars-heading = What a round saw
dashboard-bars-why = A round is shown when it has closed with enough answers, and never before. Where noise is taken out, it is so
    on average: a share can come out below zero. The thin lines are two standard errors either way.
dashboard-bars-words = { $places ->
    [one] { $places } place
   *[other] { $places } places
}. The largest share, { CHANCE($share) }, is at { $most }.
dashboard-bars-next = In the stronger colour: where the next round looks.
dashboard-bars-place = Place
dashboard-bars-share = Share
dashboard-bars-errors = ± two standard errors

## Closing in

dashboard-narrowing-heading = Closing in
dashboard-narrowing-title = The range in which numbers are told apart, from round to round
dashboard-narrowing-why = The range in which each round tells numbers apart; what lies beyond an end of it counts alike. A round
    looks where those before it point to, and may reach beyond the range that they told apart. The guarded interval holds
    whatever people are like, that of the model if what the method assumes is true.
dashboard-narrowing-units = What devices are asked for: { JOIN($what, by: " or ") }.
dashboard-narrowing-unit = “{ $unit }”
dashboard-narrowing-round = Round { BARE($round) } ({ $role })
dashboard-narrowing-guarded = Answer, guarded
dashboard-narrowing-model = Answer, by the model
dashboard-narrowing-step = Step
dashboard-narrowing-from = From
dashboard-narrowing-to = To
dashboard-narrowing-width = Width

## The answer

dashboard-answer-heading = The answer
dashboard-answer-sure = Meant to hold the truth in { CHANCE($confidence) } of such surveys.
dashboard-answer-model = If what the method assumes is true: { between }.
dashboard-answer-all = All that the answer says
dashboard-answer-causes = Where the error comes from
dashboard-answer-causes-words = Standard errors by cause; they add up as squares.
dashboard-answer-cause = Cause
dashboard-answer-error = Standard error

## Plan against reality

dashboard-reality-heading = Plan against reality
dashboard-reality-title = Half-width of the interval, planned and as it came out
dashboard-reality-why = What the planner expects of a survey as it was announced, beside what came.
dashboard-reality-planned = planned
dashboard-reality-came = came out
dashboard-reality-halfwidth = Half-width of the interval
dashboard-reality-model = Half-width, if the model holds
dashboard-reality-guarded = Half-width, whatever people are like
dashboard-reality-people = People who answered
dashboard-reality-round = Round { BARE($round) }, { $role }: people
dashboard-reality-head-planned = Planned
dashboard-reality-head-came = Came out
dashboard-reality-not-yet = not yet
dashboard-reality-thinking = being worked out
dashboard-reality-none = not one number
dashboard-reality-nothing = nothing
dashboard-reality-unknown = not predicted
dashboard-reality-all = All that the planner said
dashboard-reality-words = Planned ± { NUMBER($planned, digits: 3) }, came out ± { NUMBER($came, digits: 3) }.

## What one report gives away

dashboard-privacy-heading = What one report gives away
dashboard-privacy-words = At most ε = { NUMBER($epsilon) } for everything that a person holds, all of it together: whatever the
    data are, no report is more than { NUMBER($times, digits: 3) } times as likely to come from them as from anybody else.
    Each person sends one report at most, made random on their own device before it leaves; nobody can undo that, the
    collector neither.
dashboard-privacy-device = Digest of the device that pages of this collector bring

## The chain of a transcript: what was checked, and what only a replay can tell

dashboard-chain-heading = The chain
dashboard-chain-why = What was promised, asked and counted is public. This page fetched it and computed the SHA-256 of each part
    itself:
dashboard-chain-waiting = It begins when the first round has closed.
dashboard-chain-whole = Every link holds.
dashboard-chain-broken = A link does not hold: see the cross below. What this survey shows is not what it announced.
dashboard-chain-holds = holds
dashboard-chain-fails = does not hold
dashboard-chain-insecure = This browser computes SHA-256 only on pages that came by https, or on this machine; nothing was
    checked.
dashboard-chain-manifest = Manifest: what was promised
dashboard-chain-promised = { $purpose } ({ $collector })
dashboard-chain-question = Round { BARE($round) }, question: { $role }
dashboard-chain-tally = Round { BARE($round) }, tally
dashboard-chain-answer = Answer
dashboard-chain-end = End without an answer
dashboard-chain-digest = SHA-256
dashboard-chain-readable = it can be read
dashboard-chain-named = its digest is the survey's name
dashboard-chain-survey = it names this survey
dashboard-chain-published = it is the question that the collector says it asked
dashboard-chain-slots = it asks seats { $first } to { $last }, none of which was asked before
dashboard-chain-later = it closed no earlier than the round before
dashboard-chain-answers = it adds up answers to the question above
dashboard-chain-few = only { $answered } answered, fewer than { $minimum }: nothing of it is published
dashboard-chain-missing = no tally is published, though enough answered
dashboard-chain-shown = it is the one that this page shows
dashboard-chain-answered = { $answered ->
    [one] { $answered } person
   *[other] { $answered } people
} answered
dashboard-chain-limits = A page served by the collector protects nobody from that collector. Whether each question follows from
    the tallies before it, whether it keeps to what was announced, and whether the answer follows from all of them, only a
    replay can tell. On a machine of your own:
dashboard-chain-receipt = The digest of a question from a receipt of yours
dashboard-chain-receipt-hint = 64 letters and digits. The receipt that you got when you answered has it.
dashboard-chain-receipt-found = It is in the chain: { $where }.
dashboard-chain-receipt-missing = It is not in the chain of closed rounds.

## Running a survey: invitations, closing a round

dashboard-run-heading = Run this survey
dashboard-run-invite = Invite people
dashboard-run-invite-words = Each invitation is an address for one person. They are shown once; only their hashes are kept.
dashboard-run-count = How many invitations
dashboard-run-count-hint = The survey has room for { $users }; at most { $most } at a time.
dashboard-run-make = Make invitations
dashboard-run-made = { $made ->
    [one] { $made } invitation
   *[other] { $made } invitations
}, shown once:
dashboard-run-download = Download as a text file
dashboard-run-close = Close the open round
dashboard-run-close-words = A round closes by itself. To close it now, say why: everybody can read that in the transcript.
dashboard-run-reason = Why
dashboard-run-reason-hint = At most { $longest } letters.
dashboard-run-reason-missing = Say in a few words why the round is closed by hand.
dashboard-run-close-button = Close the round …
dashboard-run-confirm = Close round { BARE($round) } now?
dashboard-run-confirm-words = { $answered } of { $asked } have answered. Whoever has not is not asked again, and this cannot be
    taken back.
dashboard-run-confirm-button = Close it now
dashboard-run-none-open = No round is open now.
dashboard-run-closed = Round { BARE($round) } is closed.
dashboard-run-transcript = Download the transcript
dashboard-run-answer = Download the answer
dashboard-run-odd = Type a whole number from 1 to { $most }.

## A new survey

dashboard-create-heading = New survey
dashboard-create-problem = What to estimate
dashboard-create-settings = The question
dashboard-create-more = More settings
dashboard-create-halfwidth = How close the answer should be (half-width)
dashboard-create-halfwidth-wrong = How close the answer should be: this must be a number above 0, with a point for decimals.
dashboard-create-halfwidth-hint = May be left empty. With it, leave one of people, observations and ε empty: the planner says what
    it must be.
dashboard-create-particulars = The survey
dashboard-create-purpose = What for
dashboard-create-purpose-hint = In a few words that everybody who is asked will read.
dashboard-create-collector = Who asks
dashboard-create-collector-hint = A name that people know.
dashboard-create-columns = Columns
dashboard-create-columns-hint = What the columns of people's own files are called, with commas between them. May be left empty.
dashboard-create-minimum = Fewest answers that are looked at
dashboard-create-minimum-hint = A round that fewer answer shows nothing. Empty: 10, or all of the smallest round.
dashboard-create-opens = Opens
dashboard-create-opens-hint = Empty: now.
dashboard-create-closes = Closes
dashboard-create-access = Who may answer
dashboard-create-access-invited = those who are invited
dashboard-create-access-open = whoever comes
dashboard-create-enrolment = When people get their seat
dashboard-create-enrolment-ahead = ahead, before their round
dashboard-create-enrolment-on-arrival = when they come
dashboard-create-enrolment-hint = Ahead: each has a round of their own, and may have to come back for it. When they come: a seat
    of the open round.
dashboard-create-round-hours = Longest a round stays open, in hours
dashboard-create-round-hours-hint = It closes earlier when enough have answered. Empty: an equal part of the survey's time where
    there are several rounds, all of it where there is one.
dashboard-create-quota = Part of those asked after whose answers a round closes
dashboard-create-quota-hint = Above 0, at most 1. Empty: 1, everybody.
dashboard-create-retention = Days for which reports are kept afterwards
dashboard-create-retention-hint = Empty: 30. Sums of reports stay.
dashboard-create-submit = Announce the survey
dashboard-create-wait = Announcing… this may take a few seconds.
dashboard-create-fix = Not yet: please look at
dashboard-create-needed = { $name }: this is needed
dashboard-create-is-number = { $name }: a number, with a point for decimals
dashboard-create-is-whole = { $name }: a whole number
dashboard-create-is-moment = { $name }: a day and a time
dashboard-create-default = If empty: { $value }.
dashboard-create-choose = as the method likes
dashboard-create-yes = yes
dashboard-create-no = no
dashboard-create-several = Several: with commas between them.
dashboard-create-table = A row on each line, with commas between the numbers.
dashboard-setting = { $name ->
    [epsilon] Privacy ε
    [users] People
    [low] Lowest value
    [high] Highest value
    [observations] Observations a person holds
    [method] Method
    [confidence] Confidence
   *[other] { $otherwise }
}

dashboard-created-heading = The survey is announced
dashboard-created-token = The survey's token
dashboard-created-once = It is shown once: only its hash is kept. With it one invites people and closes rounds of this survey, and
    nothing else.
dashboard-created-name = The survey's name
dashboard-created-open = Open the survey, and invite people

## What the planner expects

dashboard-plan-heading = What the planner expects
dashboard-plan-first = Fill in the question: what the planner expects stands here, and changes as you type.
dashboard-plan-users = with { $users } people
dashboard-plan-method = method
dashboard-plan-rounds = people a round
dashboard-plan-epsilon = ε of one report
dashboard-plan-guarded = whatever people are like
dashboard-plan-take = Take { NUMBER($value) } for: { $name }
dashboard-plan-dear = A browser, or sotto answer as it comes, spends { NUMBER($cap) } on one person's data in all its surveys: with
    this ε it will not answer.
dashboard-plan-all = All that the planner says
dashboard-plan-said = The planner expects plus or minus { NUMBER($halfwidth, digits: 3) } with { $users } people.
dashboard-plan-not = The planner cannot say yet:
