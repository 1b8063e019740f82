/** Numbers and moments as people read them. */

/** Smaller than anything that is meant: the next number after zero, which closes a bin. */
const NOTHING = 1e-300;

/**
 * So many digits and no more; very large and very small numbers with a power of ten.
 * @param {number} value
 * @param {number} [digits]
 */
export function number(value, digits = 4) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "–";
  const size = Math.abs(value);
  if (size < NOTHING) return "0";
  const text =
    size >= 1e7 || size < 1e-4
      ? value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e")
      : new Intl.NumberFormat("en", { maximumSignificantDigits: digits }).format(value);
  return text.replace("-", "−");
}

/**
 * As Python writes `{value:g}`: so many digits, no zeros at their end, powers of ten outside of them.
 * @param {number} value
 * @param {number} [digits]
 */
export function general(value, digits = 6) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const [mantissa, power] = scientific(value, digits - 1).split("e");
  if (Number(power) >= -4 && Number(power) < digits) return trimmed(value.toFixed(digits - 1 - Number(power)));
  return `${trimmed(mantissa)}e${power}`;
}

/**
 * As Python writes `{value:e}`: two digits in the power at least.
 * @param {number} value
 * @param {number} digits
 */
export function scientific(value, digits) {
  const [mantissa, power] = value.toExponential(digits).split("e");
  return `${mantissa}e${power[0]}${power.slice(1).padStart(2, "0")}`;
}

/** @param {string} text */
const trimmed = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/** @param {number} value */
export function count(value) {
  return new Intl.NumberFormat("en").format(value);
}

/** @param {number} share */
export function percent(share) {
  const hundred = 100 * share;
  return `${number(hundred, Math.abs(hundred) >= 10 ? 3 : 2)} %`;
}

/**
 * A moment in the reader's own time zone; nothing where it is beyond what browsers count.
 * @param {number} seconds since 1970
 */
export function moment(seconds) {
  const date = new Date(1000 * seconds);
  if (Number.isNaN(date.getTime())) return "";
  return new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short" }).format(date);
}
