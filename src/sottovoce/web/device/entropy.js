// Where privacy noise comes from: the system's generator, and nothing else. No seed and no pool: every call asks again.

/** @typedef {{words(count: number): BigUint64Array}} Entropy independent uniform 64-bit words */

export class SystemEntropy {
  /** Fresh words, 65,536 bytes a call. @param {number} count */
  words(count) {
    const drawn = new BigUint64Array(count);
    for (let at = 0; at < count; at += 8192) crypto.getRandomValues(drawn.subarray(at, at + 8192));
    return drawn;
  }
}
