### What sotto ledger says: what a device was asked, what it answered, and what is left of its budget.

ledger-none = No answers
ledger-none-at = none at { $path } yet
ledger-answers = { $n ->
    [one] { $n } answer
   *[other] { $n } answers
}
ledger-asked = { $collector ->
    [none] Somebody who gave no name
   *[other] { $collector }
} asked
ledger-noted = { $what ->
    [none] not noted
   *[other] { $what }
}
ledger-unreadable = { BARE($length) } bytes that cannot be read
ledger-answered = { $payload } (in hexadecimal), about { $source }, at ε = { G($epsilon, digits: 4) }
ledger-survey = { $survey }{ $address ->
    [none] {""}
   *[other] {" "}at { $address }
}
ledger-elsewhere = not through this outbox
ledger-arrived = { $sent }, and it arrived
ledger-not-taken = { $sent }, but it was not taken: the survey was over, or the collector refused it
ledger-not-yet = not yet; run sotto answer again with the same invitation
ledger-not-known = { $sent }, but whether it arrived is not known; run sotto answer again
ledger-left = What is left for each source of data, in ε
ledger-left-of = { G($left, digits: 4) } of { G($cap) }
