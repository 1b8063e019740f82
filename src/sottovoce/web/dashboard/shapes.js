/** What the collector says, as types (see docs/routes.md): nothing here runs. */

/** @typedef {{low: number | null, high: number | null, label: string, share: number, error: number}} Bar */

/**
 * @typedef {object} Round
 * @property {number} number from 0
 * @property {string} role
 * @property {number} first the first slot that is asked
 * @property {number} asked
 * @property {number} answered
 * @property {number} quota the round closes after so many answers
 * @property {number} opened
 * @property {number | null} closes
 * @property {number | null} closed
 * @property {string} because
 * @property {string} by
 * @property {number | null} low where the question looks
 * @property {number | null} high
 * @property {string} unit_words
 * @property {string} question its digest
 * @property {Bar[] | null} bars
 * @property {string} bars_words of what they are shares
 */

/**
 * @typedef {object} Found the answer
 * @property {number | null} value
 * @property {number | null} low
 * @property {number | null} high
 * @property {number | null} model_low
 * @property {number | null} model_high
 * @property {[string, string][]} lines
 * @property {{name: string, value: number}[]} causes
 * @property {string[]} warnings
 * @property {number | null} confidence
 */

/**
 * @typedef {object} Standing where a survey stands
 * @property {string} survey
 * @property {"early" | "open" | "done" | "abandoned"} state
 * @property {string} problem
 * @property {string} estimates
 * @property {string} method
 * @property {string} purpose
 * @property {string} collector
 * @property {number} epsilon
 * @property {number} users
 * @property {number} minimum
 * @property {number} opens
 * @property {number} closes
 * @property {string[]} columns
 * @property {string} device
 * @property {{halfwidth: number | null, guarded_halfwidth: number | null, lines: [string, string][]}} plan
 * @property {Round[]} rounds
 * @property {{code: string, words: string, count: number}[]} refused
 * @property {Found | null} answer
 * @property {string} abandoned
 * @property {string | null} finish_with
 */

/**
 * @typedef {object} Setting
 * @property {string} name
 * @property {"float" | "int" | "str" | "bool"} kind
 * @property {boolean} required
 * @property {boolean} several
 * @property {boolean} scalar
 * @property {boolean} table
 * @property {unknown} default
 * @property {string} default_words
 * @property {string} help
 * @property {"declared" | "constants" | "data"} group
 * @property {string[] | null} choices
 */

/** @typedef {{name: string, estimates: string, unknowns: string[], settings: Setting[]}} Problem */

/**
 * @typedef {object} Planned
 * @property {string} method
 * @property {string} reason
 * @property {string} solved what was solved for, if anything
 * @property {number} users
 * @property {number | null} observations
 * @property {number} epsilon
 * @property {number} confidence
 * @property {number} halfwidth
 * @property {number | null} guarded_halfwidth
 * @property {number[]} users_per_round
 * @property {[string, string][]} lines
 * @property {string[]} warnings
 */

export {};
