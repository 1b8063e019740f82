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
