### The page on which a person answers a survey. What the command line says too is in question.ftl and outcome.ftl.

## Steps

page-step-asked = What is asked
page-step-data = Your data
page-step-seen = What would be sent
page-step-send = What is promised
page-step-receipt = Your receipt
page-step = { BARE($place) }. { $name }
page-loading = Reading the invitation …
page-title = { $purpose ->
    [none] A survey without a stated purpose
   *[other] { CAPITAL($purpose) }
}
page-by = asked by { $collector }
page-details = Details

lasting-seconds = { $n ->
    [one] { $n } second
   *[other] { $n } seconds
}
lasting-minutes = { $n ->
    [one] { $n } minute
   *[other] { $n } minutes
}
lasting-hours = { $n ->
    [one] { $n } hour
   *[other] { $n } hours
}
lasting-days = { $n ->
    [one] { $n } day
   *[other] { $n } days
}

## What is asked

page-asked-lead = { $who ->
    [none] Somebody who gives no name
   *[other] { CAPITAL($who) }
} would like one short answer from you. It is made from your own data here, in this page, and mixed with chance before it
    leaves. How much it can tell about you, you see before you send it. Your data themselves stay on this device.
page-asked-estimates = wanted
page-asked-unknown = { $problem }, which this page does not know
page-asked-from-you = from you
page-asked-reads = reads
page-asked-columns = the { $several ->
    [true] columns
   *[false] column
} { some-names }
page-asked-anything = what you give it below
page-asked-categories = categories
page-asked-groups = groups
page-asked-people = people
page-asked-until = until
page-asked-until-when = { MOMENT($when) } ({ $left ->
    [none] over
   *[other] { $left } from now
})
page-asked-survey-hint = The survey's name is the SHA-256 of everything it promises. This page has checked it against your
    invitation.

## Your data

page-data-without = You may go on all the same: a report is made, and the next step says what it is made of where nothing is
    there.
page-data-lead = Give the numbers that the survey is about: as a file, or typed. They are read here and stay here.
page-data-lead-labels = Give what the survey is about, by the names of the categories: as a file, or typed. It is read here
    and stays here.
page-data-again = Your place in the survey is kept. Your data are not kept anywhere, so please give them once more.
page-data-drop = Drop a CSV file here, or choose one
page-data-file-hint = Text with commas, semicolons or tabs between columns. It is not uploaded.
page-data-typed = Or type
page-data-typed-hint = Numbers, with commas, blanks or new lines between them. Decimals with a point: 3.5
page-data-typed-rows = One observation a line: { $dimension } numbers with commas between them.
page-data-typed-labels = Names of categories, with commas or new lines between them.
page-data-add = Add { $label }
page-data-add-to = Add to what you typed:
page-data-header = The first line holds the names of the columns
page-data-choose = Which column is yours?
page-data-none = Give something first: a file, or typed. Who has nothing types NA; a report is made all the same.
page-data-choose-for = { $field ->
    [none] Column { BARE($place) } of the survey
   *[other] The survey's { $field }
}
page-data-choose-run = The first of { $fields } columns that follow each other
page-data-pick = choose …
page-data-column = { $name ->
    [none] column { BARE($place) }
   *[other] { $name }{ $twice ->
        [true] {" "}(column { BARE($place) })
       *[false] {""}
    }
}
page-data-too-few = The survey looks at { $fields ->
    [one] { $fields } column
   *[other] { $fields } columns
}; this file has { $there }.
page-data-unclosed = This file has a quote that is never closed, so its cells cannot be told apart.
page-data-not-text = This file is not UTF-8 text. Save it as CSV with UTF-8, and choose it again.
page-data-too-long = This file has more than { $most } letters. Choose a smaller one.
page-data-unreadable = This file could not be read. Choose it again.
page-data-read = { $rows ->
    [true] { $n ->
        [one] { $n } row
       *[other] { $n } rows
    }
   *[false] { observations }
} read{ $missing ->
    [0] {""}
   *[other] , { $missing } of { $rows ->
        [true] their cells
       *[false] them
    } missing
}.
page-data-empty = Nothing is in it. { page-data-without }
page-data-odd = { $n ->
    [one] { $n } entry is
   *[other] { $n } entries are
} { $labels ->
    [true] in none of the categories
   *[false] no number
} ({ $several ->
    [true] lines
   *[false] line
} { $lines }{ $more ->
    [true] {" and elsewhere"}
   *[false] {""}
}); { $n ->
    [one] it counts
   *[other] they count
} as missing.
page-data-commas = Commas inside numbers are read as decimal commas: 1,234 is a little more than one.
page-data-apart = Commas stand between numbers here: 3,5 is read as 3 and 5. For decimals, type a point: 3.5
page-data-taken = Read from the { $several ->
    [true] columns
   *[false] column
} { some-names }.
page-data-all = Everything in it counts as missing. { page-data-without }
page-data-see = See what would be sent
page-data-see-hint = This takes your place in the survey and fetches the question. Nothing about your data is sent, and nothing
    is drawn yet.
page-data-asking = Taking your place and fetching the question …

## What would be sent

page-seen-own = Your own number
page-seen-own-several = Your own numbers
page-seen-own-drawn = What of yours goes in
page-seen-computed = { CAPITAL($what) }:
page-seen-from = from { observations }
page-seen-drawn = { CAPITAL($what) }, { page-seen-from }. Which one is drawn by chance when you press Send, not before.
page-seen-placed = { CAPITAL($from) }; { $placed }.
page-seen-counts = It lies outside the survey's range, and counts as { $value }.
page-seen-nothing = Nothing of this was observed: { $nothing }.
page-seen-more = … and { $parts } more
page-seen-chance = What chance makes of it
page-seen-randomised = { CAPITAL($channel) }.
page-seen-little = What that says about you
page-seen-headline = { $hundred ->
    [0] Hardly any of 100 people with other data send the same as people with yours.
    [100] All 100 of 100 people with other data send the same as people with yours.
   *[other] At least { $hundred } of 100 people with other data send the same as people with yours.
}
page-seen-explained = { $hundred ->
    [0] Chance hides little here: think twice before you send.
   *[other] Take very many people with your data, and as many whose data are as different from yours as can be. At least
        { $hundred } in 100 of them can be put in pairs, one of each kind, in which both send the very same report: what
        such a pair sends does not tell one from the other.
}
page-seen-guess = Who guesses between your data and other data by tossing a coin is right in 50 of 100 cases; who has also
    seen your report, in at most { $right }.
page-seen-bound = What goes into it is drawn when you press Send, so this holds for whatever is drawn.
page-seen-parts = Your report has { $uses } parts; this counts all of them together.
page-seen-first-part = The picture is of the first part of your report; the others are made in the same way.
page-seen-how = How this is computed
page-seen-how-words = Every report has a chance with your data, and a chance with other data. Added up over all reports, the
    smaller of the two chances is the part in which both kinds of data lead to the same report. Of all other data those are
    taken for which this part is smallest. The chances are those in the question, which your device draws by; they are whole
    numbers, and nothing here is an estimate. Where a report has several parts, what they share is multiplied, which is never
    more than what all of them share; where ε alone promises more than that, its promise is shown.
page-seen-weak = That is weak: whoever sees your report may become almost certain which of two kinds of data is yours.

## What is promised

page-send-once = one report
page-send-once-words = It is made when you press the button, sent once, and never made again for this survey.
page-send-privacy = privacy
page-send-until = until
page-send-until-when = { MOMENT($when) }; after that this page sends nothing
page-send-kept = kept
page-send-size = size
page-send-budget = your budget
page-send-budget-words = this costs { NUMBER($cost) } of the { NUMBER($left) } that are left; this browser spends at most
    { NUMBER($cap) } on your data in its lifetime, over all surveys of this address
page-send-short = That is more than what is left of your budget, so this browser will not answer.
page-send-button = Send my report
page-send-hint = Chance is drawn when you press it, and not before. Sending then waits a moment, so that time does not tell how
    much you hold.
page-send-back = Change my data
page-send-sending = Your report is made, and is sent in a moment …

## Your receipt

page-receipt-answered = Sent. Thank you.
page-receipt-before = You have answered this survey.
page-receipt-before-words = This browser answered it before, with the report below. Nothing new was made or sent.
page-receipt-sent = The collector has your report.
page-receipt-stored = Your report is made and stored here. It will be sent when you are online.
page-receipt-stored-words = Nothing is drawn again: the same bytes are sent when the network is back, or when you open this
    page again.
page-receipt-unsent = A report was made; the collector says that it does not take it. It counts against your budget all the
    same.
page-receipt-said = What your device said
page-receipt-lead = Keep this if you want to check later that what you answered is what was asked. Nothing else about your data
    is in it than the report itself.
page-receipt-survey = survey
page-receipt-question = question
page-receipt-report = report
page-receipt-report-digest = SHA-256 of the report
page-receipt-slot = your place
page-receipt-slot-words = seat { $seat }, asked in round { $round }; the report counts seats from 0
page-receipt-cost = cost
page-receipt-cost-words = ε = { NUMBER($cost) }; { NUMBER($left) } of { NUMBER($cap) } left
page-receipt-when = arrived
page-receipt-moment = { MOMENT($when) }
page-receipt-download = Save the receipt
page-receipt-check = How to check it
page-receipt-check-lead = When your round has closed, everything that was asked and what came of it is public: the transcript.
    The digests of survey and question above stand for what is in it. To go through all of it again, on your own machine:
page-receipt-transcript = the transcript
page-receipt-looking = Looking into the transcript …
page-receipt-not-closed = Your round is not closed yet, so it is not in the transcript. This page looks again by itself.
page-receipt-found = Your question is round { $round } of the transcript, with the same digest, and so is the survey.
    { $answered } answered it.
page-receipt-foreign = The transcript is of another survey, or its question is not the one you answered. Tell the people who
    ask, and keep the receipt.
page-receipt-unread = The transcript cannot be read now.
page-receipt-again = Look again

## Waiting

page-waiting-title = Not yet
page-waiting-early = The survey opens on { MOMENT($when) }.
page-waiting-round = You have a place in a later round. Its question depends on what comes of the round before, and is not known
    yet.
page-waiting-latest = The round that is open now closes on { MOMENT($when) } at the latest.
page-waiting-unreachable = The collector cannot be reached now. Are you online?
page-waiting-other = The collector asks you to come back a little later.
page-waiting-next = This page looks again by itself in { $lasting }. You may also close it, and come back with the same
    invitation.
page-waiting-now = Look again now

## Pictures: in them, and for whoever cannot see them

page-budget-title = Your budget
page-budget-words = Of { NUMBER($cap) }, { NUMBER($spent) } were spent before, { NUMBER($cost) } go to this report, and
    { NUMBER($left) } are left.
page-budget-spent = spent before
page-budget-cost = this report
page-budget-left = left
page-picture-yours = with your data
page-picture-others = with the most different data
page-picture-here = you: { $value }
page-picture-people-title = { $same } of 100 people
page-picture-people-words = A hundred people with other data, however different. At least { $same } of them send the same as people
    with your data; of the other { $rest } some may not.
page-picture-people-same = { $same } send the same
page-picture-people-rest = { $rest } may not
page-picture-scale-title = Where your number lies
page-picture-scale-words = Your number, { $value }, on the survey's scale from { $low } to { $high }.
page-picture-table-title = What your device might say
page-picture-table-words = Of 100 devices with your data, { $own }. Of 100 with the most different data, { $other }.
page-picture-table-each = { JOIN($says, by: ", ") }{ $more ->
    [true] {" and so on"}
   *[false] {""}
}
page-picture-table-says = { NUMBER($hundred, digits: 2) } say { $symbol }
page-picture-table-axis = what the device says
page-picture-table-axis-many = what the device says, 0 to { BARE($last) }
page-picture-items-title = What your device might name
page-picture-items-words = How many of 100 devices with your data name each: { JOIN($items, by: ", ") }.
page-picture-items-item = { $name } { NUMBER($hundred, digits: 2) }
page-picture-items-two = Of 100 devices, { NUMBER($own, digits: 2) } name what goes in; each other one is named by
    { NUMBER($other, digits: 2) }.
page-picture-items-near = Of 100 devices, { NUMBER($own, digits: 2) } name what goes in, and as many each one near it; each one
    farther away is named by { NUMBER($other, digits: 2) }.
page-picture-items-own = { $near ->
    [true] what goes in, and near it
   *[false] what goes in
}
page-picture-items-other = { $near ->
    [true] each one farther away
   *[false] each other one
}
page-picture-items-axis = named by so many of 100 devices with your data
page-picture-laplace-title = What your device might say
page-picture-laplace-words = Two curves that lie over each other: what devices say whose own number is { $own }, and devices whose
    number is { $other }. Half of all reports lie more than { $half } away from the own number.
page-picture-laplace-axis = what the device says

## What parts of a question are called

page-place-anything = anything
page-place-below = below { NUMBER($to) }
page-place-from = { NUMBER($from) } or more
page-place-between = { NUMBER($from) } to { NUMBER($to) }
page-place-nothing = nothing
page-place-in-group = { $group }, { $place }
page-place-group = group { BARE($number) }
page-place-category = category { BARE($number) }
page-place-column = column { BARE($number) }
page-place-direction = direction { BARE($number) }
page-place-number = { $number }
page-place-around = around { NUMBER($centre) }, place { BARE($number) }

## What is computed for one person

page-computes-average = { $first ->
    [none] the average of all your observations
    [1] your first observation
   *[other] the average of your first { $first } observations
}{ page-in-column }
page-in-column = { $column ->
    [none] {""}
   *[other] {" in "}{ $column }
}
page-computes-share = the share of your observations up to { NUMBER($threshold) }
page-computes-averages = the average of your observations{ page-in-column }
page-computes-inside = where your average lies in its declared range{ page-in-column }, from −1 to 1
page-computes-large = 1 if your average{ page-in-column } is large, else 0
page-computes-category = the share of your observations in “{ $category }”
page-computes-dealt = { $what }, of those in “{ $group }” alone

## What a report said: true of every report, whatever the data were

page-said-unary = Your device ticked { $ticked } of { $items } boxes: { $names }. Every box was turned over by chance with
    { NUMBER($hundred, digits: 3) } of 100, ticked or not.
page-said-table = Your device said { $called }. Depending on their data, { $least } to { $most } of 100 people would say that too.
page-said-item = “{ $name }”
page-said-symbol = { BARE($symbol) }, one of 0 to { BARE($last) }
page-said-subset = Your device named { $size ->
    [one] { $names }
   *[other] { $size } of { $items }: { $names }
}. What goes in is named in { NUMBER($own, digits: 3) } of 100 cases, and each other one in { NUMBER($other, digits: 3) } of 100.
page-said-laplace = Your device said { NUMBER($value) }, on a scale from { NUMBER($low) } to { NUMBER($high) }. The chance that was
    added moves a number by more than { NUMBER($half, digits: 2) } in half of all reports, up or down.
page-said-none = none

## What this page can promise, and what not

page-trust-title = What this page can promise, and what it cannot
page-trust-same = The program that makes your report is the one that your invitation names ({ $short }…).
page-trust-unpinned = Your invitation names no program; the one that is here is { $short }….
page-trust-honest = A page that is served by a collector protects nobody from that collector: whoever writes the page could write
    another one for you, with other checks, or none. If you would not trust these people with your data, answer with a program
    that you got elsewhere.
page-trust-python = With the command line of the package sottovoce, which checks all of this on its own:
page-trust-files = Or compare the files that this page runs with a copy that you trust. They are in the package, under web/device,
    and can be read here:
page-trust-sum = Inside the folder of your copy, this must print the same digest:
page-trust-policy = The browser itself keeps this page from talking to any other address than this one, from running any other
    program than the files listed in it, and from loading anything from elsewhere.
page-trust-clearing = What this browser has said is noted in its storage for this address. Whoever clears that storage, or
    answers in a private window, makes it forget: it then refuses an invitation that the collector says was used before. A
    collector that lies about that could get a second report, and so learn more about you than one report tells.
page-trust-budget = Each browser and each device keeps its own ledger: who answers from two of them spends twice.

## Why there is no answer, and what to do

page-nothing-sent = Nothing was sent.
page-refusal-malformed-title = This device declines
page-refusal-malformed-why = What the collector sent cannot be read as a survey's message.
page-refusal-malformed-do = { page-nothing-sent } Tell the people who ask; their collector may be broken, or of
    another version.
page-refusal-wrong-digest-title = This device declines
page-refusal-wrong-digest-why = The collector shows something else than what your invitation names.
page-refusal-wrong-digest-do = { page-nothing-sent } Somebody changed the survey after you were invited, or shows you
    another one than others. Tell the people who invited you.
page-refusal-not-announced-title = This device declines
page-refusal-not-announced-why = The question asks for something that the survey did not announce.
page-refusal-not-announced-do = { page-nothing-sent } A survey must keep to what it promised. Tell the people who
    invited you.
page-refusal-not-asked-title = This device declines
page-refusal-not-asked-why = The question is not for the place that you were given.
page-refusal-not-asked-do = { page-nothing-sent } Tell the people who ask.
page-refusal-over-declared-title = This device declines
page-refusal-over-declared-why = The report would say more about you than the question admits.
page-refusal-over-declared-do = { page-nothing-sent } Tell the people who invited you.
page-refusal-over-budget-title = Your budget does not allow it
page-refusal-over-budget-why = With this report, this browser would have said more about your data than its limit.
page-refusal-over-budget-do = { page-nothing-sent } What was spent in earlier surveys cannot be had back: what they
    were told stays told.
page-refusal-already-answered-title = Answered before
page-refusal-already-answered-why = This browser has answered this survey before, from another place in it.
page-refusal-already-answered-do = { page-nothing-sent } A survey gets one answer.
page-refusal-ledger-full-title = This browser's ledger is full
page-refusal-ledger-full-why = It has no room for another answer.
page-refusal-ledger-full-do = { page-nothing-sent } Answer from another device, or with the command sotto answer.
page-refusal-ledger-unavailable-title = This browser cannot keep a ledger
page-refusal-ledger-unavailable-why = What was said must be noted before it is sent, so that nothing is ever said
    twice; the browser does not let this page store it, or what was stored does not fit together.
page-refusal-ledger-unavailable-do = { page-nothing-sent } Private windows and strict settings may be the cause: allow
    this site to store data, use an ordinary window, or answer with the command sotto answer.
page-refusal-ledger-lost-title = This invitation was used before
page-refusal-ledger-lost-why = The collector says so, but this browser knows nothing of it: its storage was cleared,
    or the invitation was used in another browser or device.
page-refusal-ledger-lost-do = { page-nothing-sent } A second report about the same data would say more about you than
    was promised, so this browser does not make one. If you have not answered, ask for a new invitation.
page-refusal-too-late-title = Too late
page-refusal-too-late-why = The survey closes in a moment; a report could arrive after its end.
page-refusal-too-late-do = { page-nothing-sent }
page-refusal-device-differs-title = This page stops here
page-refusal-device-differs-why = The program that would make your report is not the one that your invitation names.
page-refusal-device-differs-do = { page-nothing-sent } The collector may have a newer version than when you were
    invited, or somebody changed it. Ask for a new invitation, or answer with the command sotto answer.
page-refusal-device-unknown-title = This page stops here
page-refusal-device-unknown-why = The files of the program that would make your report could not be compared with your
    invitation.
page-refusal-device-unknown-do = { page-nothing-sent } Load the page again. If it stays so, answer with the command
    sotto answer.
page-refusal-no-token-title = Your invitation is incomplete
page-refusal-no-token-why = This survey is for people who were invited, and the address that you opened lacks the part
    behind the # that is yours alone.
page-refusal-no-token-do = { page-nothing-sent } Open the whole address as it was sent to you; some programs cut it
    off.
page-refusal-no-fragment-title = This is the survey's page, not an invitation
page-refusal-no-fragment-why = An invitation is an address with a # near its end; what follows the # names the survey,
    and is yours.
page-refusal-no-fragment-do = Open the whole address as it was sent to you. What the survey asks can be read below.
page-refusal-bad-invitation-title = This invitation cannot be read
page-refusal-bad-invitation-why = What stands behind the # in the address is not complete, or was changed on the way.
page-refusal-bad-invitation-do = Open the whole address as it was sent to you, without line breaks.
page-refusal-other-survey-title = This invitation is for another survey
page-refusal-other-survey-why = The address names one survey, and what stands behind the # another.
page-refusal-other-survey-do = Open the whole address as it was sent to you.
page-refusal-unauthorised-title = The collector does not know this invitation
page-refusal-unauthorised-why = It was withdrawn, mistyped, or is of another survey.
page-refusal-unauthorised-do = { page-nothing-sent } Ask for a new invitation.
page-refusal-full-title = The survey is full
page-refusal-full-why = Every place in it is taken.
page-refusal-full-do = { page-nothing-sent } There is nothing that you need to do.
page-ended-declined-title = This device declines
page-ended-declined-why = It does not answer this survey.
page-ended-declined-do = { page-nothing-sent }
page-ended-missed-title = Your round is over
page-ended-missed-why = The round that asked you closed before your report arrived.
page-ended-missed-do = There is nothing that you need to do. You are not asked again in this survey.
page-ended-over-title = The survey is over
page-ended-over-why = Nobody is asked any more.
page-ended-over-do = What came of it is public, and stands below.
page-ended-meanwhile-title = The survey is over
page-ended-meanwhile-why = It ended while this page was open. Nobody is asked any more.
page-ended-meanwhile-do = What came of it is public: load this page again to read it.
page-ended-refused-title = The collector does not take it
page-ended-refused-why = It answers that it will not.
page-ended-refused-do = { page-nothing-sent } Tell the people who ask.
page-ended-sent-title = The collector does not take it
page-ended-sent-why = Your report was sent, and the collector answers that it will not take it, or answers what
    cannot be read.
page-ended-sent-do = Count it as said. Tell the people who ask.
