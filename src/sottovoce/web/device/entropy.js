// Privacy noise: from the system's generator and nothing else, without seed or pool.

export class SystemEntropy {
  /** Independent uniform words, 65,536 bytes a call. @param {number} count */
  words(count) {
    const drawn = new BigUint64Array(count);
    for (let at = 0; at < count; at += 8192) crypto.getRandomValues(drawn.subarray(at, at + 8192));
    return drawn;
  }
}
