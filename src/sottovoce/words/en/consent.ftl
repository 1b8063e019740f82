### What a person reads before a device answers, and what came of it: sotto answer. What the page says too is in question.ftl.

consent-asks = { $collector ->
    [none] Somebody asks who gives no name
   *[other] { $collector } asks
}
consent-purpose = { $purpose ->
    [none] no purpose is given
   *[other] { $purpose }
}
consent-unknown = { $name }, which this version does not know
consent-method = { $name }, which { $help }
consent-reads-file = your file, { $columns }{ $called ->
    [none] {""}
   *[other] {" "}(the survey calls it { $called })
}
consent-reads-given = what you give{ $called ->
    [none] {""}
   *[other] {" "}(the survey asks for { $called })
}
consent-columns = { $several ->
    [true] columns
   *[false] column
} { some-names }
consent-entries = { $entries }{ $missing ->
    [0] {""}
   *[other] , of which missing or { $labels ->
        [true] in no category
       *[false] not a number
    }{ $groups ->
        [true] {" or in no group"}
       *[false] {""}
    }: { $missing }
}
consent-budget = ε = { G($left, digits: 4) } of { G($cap) } left for { $source }{ $short ->
    [true] , which is too little for this survey
   *[false] {""}
}
consent-doubt = what this survey may ask is not what its own settings come to ({ $problem }): its words may mislead you
consent-nothing-sent = Nothing was sent.

## What came of it.

answered = Answered
answered-before = Answered before; nothing new was sent
answered-not-yet = Not yet
answered-not = Not answered
answered-used-before = this invitation was used before; if that was not you, tell the people who ask
answered-come-back = { $latest ->
    [none] { $again }
   *[other] when that round has closed, { $latest } at the latest
}, with the same command
answered-said = { $payload } (in hexadecimal), and nothing else of what you hold
answered-cost = ε = { G($cost, digits: 4) }; { G($left, digits: 4) } left for { $source }
answered-report = a report was made, and { $became ->
    [unsent] is still to be sent
    [unknown] was sent, and whether it arrived is not known
    [kept] was not sent
   *[refused] was sent, but not taken
}; it cost ε all the same

## Why: what a device meets on the network.

outcome-stored = the collector has the report
outcome-same = it had it already
outcome-before = this device has answered the survey before
outcome-closed-before-report = the round closed before the report arrived
outcome-too-long = the report was sent; the collector's reply is longer than a reply can be, and was not read
outcome-too-late = the survey closes within the { G($seconds) } seconds over which sending is spread
outcome-no-token = the survey takes invited devices only; this invitation has no token
outcome-full = every slot of the survey is taken
outcome-nobody-any-more = the survey takes nobody any more
outcome-done = the survey is done
outcome-abandoned = the survey is abandoned
outcome-round-over = the round that asked this device is over
outcome-round-not-open = the round that asks this device is not open yet
outcome-early = the survey has not opened yet
outcome-asks-others = round { BARE($round) } is open, and asks others; this device is asked in a later one
outcome-expired = the survey has closed, by this device's clock
outcome-unanswered = there is no report that could be sent now
outcome-kept = the report is made and kept; the collector is not known to have it
outcome-ledger-lost = the collector says that this invitation was used before, and this browser's ledger does not know of
    it: it was cleared, or the invitation was used elsewhere; a second report about the same data is not made
outcome-collector-says = the collector says { $message }
outcome-collector-answers = the collector answers with { BARE($status) }
outcome-open = it may be answered
outcome-asked = the question has come, and was examined
outcome-error = { $message }
