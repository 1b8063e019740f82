/** A report's payload back to symbols: what the device said, part by part. */

/**
 * @param {any} question
 * @param {string} payload hexadecimal digits
 * @returns {number[][]} one symbol for each use
 */
export function symbolsOf(question, payload) {
  const bytes = Uint8Array.from(payload.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const size = bytes.length / question.uses;
  return Array.from({ length: question.uses }, (_, use) =>
    symbolOf(question.channel, bytes.subarray(use * size, (use + 1) * size)),
  );
}

/**
 * @param {any} channel
 * @param {Uint8Array} bytes
 * @returns {number[]}
 */
function symbolOf(channel, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (channel.kind) {
    case "table":
      return [bytes[0]];
    case "subset":
      return Array.from({ length: channel.size }, (_, place) => view.getUint16(2 * place));
    case "unary":
      return Array.from({ length: channel.items }, (_, bit) => (bytes[bit >> 3] >> (7 - (bit & 7))) & 1);
    default:
      return [Number(view.getBigInt64(0))];
  }
}
