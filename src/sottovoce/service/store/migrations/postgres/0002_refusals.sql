-- How many uploads were refused, by survey and reason. No column says whose they were, or when they came.

CREATE TABLE refusal (                                    -- added up over all workers, a second's worth at a time
    survey text NOT NULL REFERENCES survey (id),          -- immutable
    code text NOT NULL,                                   -- immutable: why, as the refusal said it to programs
    number bigint NOT NULL,                               -- mutable: how many; only grows
    PRIMARY KEY (survey, code)
);
