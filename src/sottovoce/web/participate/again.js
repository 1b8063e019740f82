/** What outlasts a moment: looking again by itself, politely, and that a place was taken, over a reload. */

const LEAST = 4;
const MOST = 600;
const SLOWER = 1.4;

let timer = 0;
let tries = 0;
let look = async () => {};

/**
 * Once more at a moment, a little later by chance so that not all come at once; ever more slowly the longer it takes.
 * @param {number} at seconds since 1970
 * @param {() => Promise<void>} what
 * @returns {number} seconds until then
 */
export function again(at, what) {
  clearTimeout(timer);
  look = what;
  const least = Math.min(MOST, Math.max(LEAST * SLOWER ** Math.min(tries++, 12), at - Date.now() / 1000));
  const seconds = least * (1 + (0.2 * crypto.getRandomValues(new Uint8Array(1))[0]) / 256);
  timer = setTimeout(() => void sooner(), 1000 * seconds);
  return seconds;
}

/** At once, where something is waited for: the network is back, or the person asks for it. */
export async function sooner() {
  const what = look;
  noMore();
  await what();
}

/** Nothing is waited for any more. */
export function noMore() {
  clearTimeout(timer);
  look = async () => {};
}

/**
 * That a place was taken; the data are never kept.
 * @param {string} survey
 * @param {boolean} yes
 */
export function remember(survey, yes) {
  try {
    if (yes) localStorage.setItem(key(survey), "yes");
    else localStorage.removeItem(key(survey));
  } catch {} // without it the person presses a button once more
}

/** @param {string} survey */
export function remembered(survey) {
  try {
    return localStorage.getItem(key(survey)) !== null;
  } catch {
    return false;
  }
}

/** @param {string} survey */
function key(survey) {
  return `sottovoce asked ${survey}`;
}
