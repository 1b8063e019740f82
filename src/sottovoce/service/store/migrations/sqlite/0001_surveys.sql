-- Surveys, their rounds, who sits where, and the reports. Times are whole seconds since 1970 in UTC.
-- No column keeps the order or the time of arrival of a report. SQLite itself knows it for rows in place (inside a page
-- they lie as they came), so closing a round moves its reports to another table, in the order of slots.

CREATE TABLE administrator (
    one INTEGER PRIMARY KEY CHECK (one = 1),              -- immutable: there is one row at most
    token BLOB NOT NULL                                   -- mutable: SHA-256 of the administrator's token
);

CREATE TABLE survey (
    id TEXT NOT NULL PRIMARY KEY,                         -- immutable: the digest of the manifest
    manifest BLOB NOT NULL,                               -- immutable: the exact bytes that were announced
    secret BLOB NOT NULL,                                 -- immutable: what the capabilities of slots are made from
    token BLOB NOT NULL,                                  -- immutable: SHA-256 of the survey's token
    retention_days INTEGER NOT NULL,                      -- immutable: how long reports stay after the end
    origins TEXT NOT NULL,                                -- immutable: JSON list of web origins that may take part
    created INTEGER NOT NULL,                             -- immutable
    state TEXT NOT NULL                                   -- mutable: once, from running to done or abandoned
        CHECK (state IN ('running', 'done', 'abandoned')),
    answer TEXT NOT NULL,                                 -- mutable: once, at the end: the answer's JSON
    abandoned TEXT NOT NULL,                              -- mutable: once, at the end: why there is no answer
    ended INTEGER,                                        -- mutable: once, at the end
    scrubbed INTEGER                                      -- mutable: when payloads were last forgotten
);

CREATE INDEX survey_by_time ON survey (created, id);

CREATE TABLE round (
    key INTEGER PRIMARY KEY,                              -- immutable: what reports name the round by
    survey TEXT NOT NULL REFERENCES survey (id),          -- immutable
    number INTEGER NOT NULL,                              -- immutable: from 0
    role TEXT NOT NULL,                                   -- immutable
    question BLOB NOT NULL,                               -- immutable: the exact bytes that every device gets
    digest TEXT NOT NULL,                                 -- immutable: of the question
    opened INTEGER NOT NULL,                              -- immutable
    closed INTEGER,                                       -- mutable: once, when it closes
    because TEXT NOT NULL,                                -- mutable: once, when it closes: quota, deadline or hand
    by TEXT NOT NULL,                                     -- mutable: once, when it closes: who closed it
    answered INTEGER,                                     -- mutable: once, when it closes: reports in the tally
    tally BLOB NOT NULL,                                  -- mutable: once, when it closes: its exact bytes
    seed BLOB,                                            -- mutable: once, to nothing, when it closes: slots dealt on
                                                          -- arrival follow from it, and their order from nothing else
    UNIQUE (survey, number)
);

CREATE TABLE enrolment (                                  -- apart from survey, whose rows are large
    survey TEXT NOT NULL REFERENCES survey (id),          -- immutable
    round INTEGER NOT NULL,                               -- immutable: of slots dealt on arrival; ahead: -1
    number INTEGER NOT NULL,                              -- mutable: how many have a slot; only grows
    PRIMARY KEY (survey, round)
) WITHOUT ROWID;

CREATE TABLE invitation (                                 -- not used yet; used ones move to seat; gone at the end
    survey TEXT NOT NULL REFERENCES survey (id),          -- immutable
    token BLOB NOT NULL,                                  -- immutable: SHA-256 of the invitation's token
    PRIMARY KEY (survey, token)
) WITHOUT ROWID;

CREATE TABLE seat (                                       -- apart from the reports; gone when the survey ends
    survey TEXT NOT NULL REFERENCES survey (id),          -- immutable
    token BLOB NOT NULL,                                  -- immutable: SHA-256 of the token that enrolled
    round INTEGER,                                        -- immutable: for slots dealt on arrival, the round's number
    slot INTEGER,                                         -- mutable: forgotten, on arrival, when that round closes
    PRIMARY KEY (survey, token)
) WITHOUT ROWID;

CREATE TABLE report (                                     -- of open rounds
    key INTEGER PRIMARY KEY,                              -- immutable: the round's key * 2^40 + the slot
    payload BLOB NOT NULL                                 -- immutable
);

CREATE TABLE counted (                                    -- reports of closed rounds
    key INTEGER PRIMARY KEY,                              -- immutable: the round's key * 2^40 + the slot
    payload BLOB,                                         -- mutable: once, to nothing, when scrubbed
    hash BLOB,                                            -- mutable: once, the payload's SHA-256, when scrubbed
    CHECK ((payload IS NULL) <> (hash IS NULL))
);

CREATE TABLE unswept (                                    -- the file still holds what was deleted
    name TEXT NOT NULL PRIMARY KEY,                       -- immutable: everything
    since INTEGER NOT NULL                                -- mutable: how often something was deleted
);
