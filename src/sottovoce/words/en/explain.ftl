### What sotto explain says: a question to the person whose device is asked, what it costs, and what a device would send.

## What a device does, in order.

step-compute = { $what }, on your device
step-compute-within = on your device: { $what }
step-place = { $placed }; { $nothing }

explain-meaning = What it means for you
explain-question = The question
explain-device = A device
promise = Your device sends one report, once, and nothing else. It is randomised on your device before it leaves. Suppose
    you held an entirely different collection, longer or shorter, even empty: no report would become more than
    { likelier-times } times as likely, or as unlikely. { $right ->
        [none] That is weak: whoever sees your report may become almost certain which of two collections is yours.
       *[other] So whoever sees your report, the people who ask included, learns little: who guesses right between two
            collections in 50 of 100 cases is right in at most { $right } of 100 after seeing it. Only many reports
            together show anything.
    }

## Which question it is.

explain-baseline = a baseline, to compare with
explain-only-method = the only one that auto chooses from
explain-asked-for = asked for
explain-as-the-question-says = as the question says; which survey asks it, only its manifest tells
explain-assumed = everybody asked before held { $known ->
    [true] this collection
   *[false] nothing, which counts as the middle
}, and noise cancelled out; in a survey the reports decide that
explain-everybody = { users }, everybody (round { BARE($round) } of the survey)
explain-some = { $n } of { $users } users, chosen before anyone looks at data (round { BARE($round) } of the survey)
explain-certified = ε = { G($declared) } declared; certified from the integers of the channel: { G($declared) } −
    { POWER($slack, digits: 1) }
explain-protects = a single observation at ε = { G($asked) }; the whole collection only at { G($declared) }

## What a device would send.

explain-holding = Your device, holding { $n ->
    [0] no observations
   *[other] { observations }
}
explain-computed = { $computed }; for your eyes only, never sent
explain-drawn = { $one ->
    [true] one of them, drawn at the moment of answering
   *[false] that, with lots drawn at the moment
}
explain-number = { G($value, digits: 4) }
explain-bin = { BARE($value) }
explain-numbers = { JOIN($values, by: ", ") }{ explain-more }
explain-bins = bin { JOIN($values, by: ", ") } of 0 … { BARE($last) }{ explain-more }
explain-more = { $total ->
    [none] {""}
   *[other] {" "}… ({ $total } in all)
}{ $groups ->
    [one] {""}
   *[other] {" "}(for the first of { $groups } groups; others compute other numbers)
}
explain-sent = { $payload ->
    [one] { $payload } byte
   *[other] { $payload } bytes
} in hexadecimal; { bytes } with its envelope
explain-sends = { $payload } ({ $sent })
explain-compared = this very report is { G($least, digits: 3) } to { G($most, digits: 3) } times as likely from any other
    collection as from yours; for every report it is at most { likelier-times } times
explain-nothing-given = Nothing was given to look at: add --collection 3,4,5 for your own.
explain-add-collection = Add --collection { $example } (one user's observations{ $dimension ->
    [none] {""}
   *[other] , { $dimension } numbers each
}) to see what it computes and sends.
