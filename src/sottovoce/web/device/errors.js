// What a device raises on purpose, never with an observed value.

export class Malformed extends Error {}

/** The device does not answer. `code` is for its owner alone. */
export class Declined extends Error {
  constructor(code, detail) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}

export const check = (condition, problem) => {
  if (!condition) throw new Malformed(problem);
};
