### The plain pages of a collector, which need no script: what is running here, and what one survey asks. Links and other
### marks are data: the page makes them. The dashboard reads this file too.

page-footer = A Sottovoce collector. { $routes }.
page-footer-routes = Routes for programs

## What is running here

page-site = Surveys in a low voice
page-site-about = Many people each send one short report that is made random on their own device. No single report says much
    about anybody; all of them together answer the question.
page-not-listed = Surveys of this collector are not listed. An invitation leads to its own.
page-no-survey = No survey is running here yet.

## Where a survey stands

page-stands = { $state ->
    [early] The survey has not opened. It opens on { MOMENT($opens) }.
    [open] The survey is running. Round { BARE($round) }: { $answered } of { $asked } answered. It closes on
    { MOMENT($closes) } at the latest.
    [done] The survey is over. Its answer is public: { $words }, or { $programs }.
   *[abandoned] The survey ended without an answer. { $why }.
}
page-stands-done-words = in words
page-stands-done-programs = for programs
page-answer = What came of it

## What one survey asks

page-asks = What is asked
label-estimates = estimates
label-people = people
label-open = open
label-kept = kept
page-asks-estimates = { $what }{ $columns ->
    [none] {""}
   *[other] {" of "}{ $columns }
}
page-asks-people = { $users }; nothing is looked at before { $minimum } of a round have answered
page-asks-open = { MOMENT($opens) } to { MOMENT($closes) }
page-asks-kept = reports until { $days ->
    [0] the end
    [one] { $days } day after the end
   *[other] { $days } days after the end
}; sums of them stay
page-privacy = What your report gives away
page-privacy-bound = At most ε = { G($epsilon) } for everything you hold, all of it together: whatever your data are, no report
    is more than e{ $power } = { $size ->
    [few] { FIXED($times, digits: 2) }
    [many] { $times }
   *[huge] { POWER($times) }
} times as likely to come from you as from anybody else. Your device makes it random before it leaves; nobody can undo that,
    the collector neither.

## How to answer

page-how = How to answer
page-how-over = Nobody is asked any more.
page-how-program = With the program { $program }, on your own device. Pass it the whole address of your invitation, also what
    stands after the { $sign }: that part is yours, and browsers do not send it.
page-how-later = You may be asked in a later round. Your device then says when to come back: with the same command, which
    goes on from where it was.
page-how-trust = A page served by the collector protects nobody from that collector: the code in it is the collector's. Answer
    with a program that you installed yourself; it checks everything that this page says.

## What anybody can check

page-check = What anybody can check
page-check-name = The survey's name is the SHA-256 of { $promise }:
page-check-promise = what it promises
page-check-rounds = When a round has closed, { $transcript } is public, and { $command } replays it.
page-check-transcript = all that was asked and what came of it

## Uploads that were refused, by code; one of a later version stands for itself

page-refused = { $code ->
    [malformed] not what this survey asks for, or not readable
    [media-type] of another type, or encoded
    [too-large] too large
    [slow] did not arrive in time
    [unauthorised] without a token that was given out
    [forbidden] with a token of something else, or another slot's
    [not-asked] to a question, or from a slot, that was not asked
    [not-found] to something that is not there
    [conflict] a second, different report of the same slot
    [closed] after the round had closed
    [expired] after the survey was over
    [early] before the survey or the next round had opened
    [full] when all slots were taken
    [busy] too much at once: to come again later
    [method] by another method
    [failed] the collector failed
   *[other] { $code }
}
