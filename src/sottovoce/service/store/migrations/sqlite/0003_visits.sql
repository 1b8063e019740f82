-- Whether a device that enrols again is the one that took the seat: it may have lost the reply, or its ledger.

ALTER TABLE seat ADD COLUMN
    visit BLOB;                                           -- mutable: once, to nothing, with the slot: SHA-256 of a
                                                          -- number that a device drew for this token of this survey
                                                          -- alone, so it tells nothing beyond the token; or null
