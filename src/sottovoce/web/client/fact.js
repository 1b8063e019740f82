// A fact, as in Python's messages: a code, and the numbers that go with it. Its sentence stands in a catalogue.

/** @typedef {{code: string, data: Record<string, any>}} Fact */

/**
 * @param {string} code
 * @param {Record<string, any>} [data]
 * @returns {Fact}
 */
export const fact = (code, data = {}) => ({ code, data });
