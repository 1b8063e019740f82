/**
 * Where the privacy noise of a device comes from: the system's generator, and nothing else. There is no seed and no
 * pool: every call asks again. The audit puts a script in its place; nothing that ships does.
 *
 * @typedef {{words(count: number): BigUint64Array}} Entropy a source of independent uniform 64-bit words
 */

const AT_ONCE = 65536 / BigUint64Array.BYTES_PER_ELEMENT; // as many as one call gives

/** Words from `crypto.getRandomValues`. */
export class SystemEntropy {
  /** `count` fresh words. @param {number} count */
  words(count) {
    const drawn = new BigUint64Array(count);
    for (let at = 0; at < count; at += AT_ONCE) crypto.getRandomValues(drawn.subarray(at, at + AT_ONCE));
    return drawn;
  }
}
