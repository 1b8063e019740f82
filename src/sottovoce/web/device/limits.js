// Public limits, as in messages/limits.py: no question can exhaust a device.

export const MAX_REPORT_BYTES = 2 ** 16;
export const MAX_TEXT = 128;
export const MAX_ITEMS = 2 ** 16; // of a list, a grid, a channel; and groups
export const MAX_USERS = 2 ** 40;
export const MAX_VALUE = 1e150;
export const MAX_WORK = 2 ** 22;
export const MAX_CELLS = 4096; // of a table
export const MAX_QUESTION = { letters: 2 ** 20, marks: 2 * MAX_ITEMS + 4 * MAX_CELLS }; // marks: brackets, : and "
export const MAX_MANIFEST = MAX_QUESTION;
