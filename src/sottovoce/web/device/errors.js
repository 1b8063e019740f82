// What a device raises on purpose. No message ever contains an observed value.

/** Not a valid message: wrong field, wrong size, a law that does not add up. */
export class Malformed extends Error {
  name = "Malformed";
}

/**
 * The device does not answer; its ledger is unchanged. `code` is one of malformed, wrong-digest, not-announced,
 * not-asked, already-answered, over-budget, over-declared, ledger-full, ledger-unavailable, ledger-lost. It is for the
 * device's owner, not for the collector.
 */
export class Declined extends Error {
  name = "Declined";

  /**
   * @param {string} code
   * @param {string} detail
   */
  constructor(code, detail) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}

/**
 * Refuse a message with a reason.
 * @param {unknown} condition
 * @param {string} problem
 * @returns {asserts condition}
 */
export function check(condition, problem) {
  if (!condition) throw new Malformed(problem);
}
