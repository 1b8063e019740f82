// Public limits, as in messages/limits.py: no question can exhaust a device.

export const MAX_REPORT_BYTES = 2 ** 16;
export const MAX_TEXT = 128;
export const MAX_ITEMS = 2 ** 16;
export const MAX_USERS = 2 ** 40;
export const MAX_CELLS = 4096;
export const MAX_DOCUMENT = { letters: 2 ** 20, marks: 2 * MAX_ITEMS + 4 * MAX_CELLS }; // marks: brackets, : and "
