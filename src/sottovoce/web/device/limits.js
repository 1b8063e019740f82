// Public limits that every device checks before it reads on: no question can exhaust a device, or stretch its working
// time to measure how much it holds. The same as in messages/limits.py, where a test reads both.

export const SAFE_INTEGER = 2 ** 53;
export const MAX_EPSILON = 1e6;
export const EIGHT_BYTES_PER_EPSILON = 10 ** 6;
export const MAX_REPORT_BYTES = 2 ** 16;
export const MAX_SIMULATED_REPORT_BYTES = 2 ** 20;
export const MAX_ROUND = 1000;
export const MAX_DEPTH = 32;
export const MAX_RUNS = 2 ** 10;
export const MAX_WAYS = 64;
export const MAX_FREE = 16;
export const MAX_WORDS = 2 ** 12;
export const MAX_SYMBOLS = 256;
export const MAX_TABLE_CELLS = 4096;
export const MAX_ITEMS = 2 ** 16;
export const MAX_GROUPS = 2 ** 16;
export const MAX_USES = 2 ** 14;
export const MAX_USERS = 2 ** 40;
export const MAX_TEXT = 128;
export const MAX_LABEL = 200;
export const MAX_SEED = 2 ** 53;
export const MAX_FUNCTION = MAX_GROUPS + 1;
export const MAX_VALUE = 1e150;
export const MAX_WORK = 2 ** 22;
export const MAX_WAVES = 64;
export const MAX_DAYS = 36_500;
export const MAX_MOMENT = 253_402_300_799;

/**
 * What a message of one kind may hold, counted in its bytes before they are read: letters, and marks (brackets, braces,
 * colons and quotes, each of which stands for something that takes up memory). Where `texts` are documents of their
 * own, marks are quotes, and every letter outside of texts and names.
 * @typedef {{letters: number, marks: number, texts?: boolean}} Size
 */

/** @type {Size} */
export const MAX_QUESTION = { letters: 2 ** 20, marks: 2 * MAX_ITEMS + 4 * MAX_TABLE_CELLS };
/** @type {Size} */
export const MAX_MANIFEST = MAX_QUESTION;

/**
 * The largest report with a payload of so many bytes: two letters for each, and what stands around them.
 * @param {number} payload
 */
export const reportBytes = (payload) => 2 * payload + 256;
