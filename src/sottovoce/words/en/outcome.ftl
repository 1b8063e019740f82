### Why a survey was answered, or not yet, or not: what a device meets on the network. Read by the package and by the page.

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
