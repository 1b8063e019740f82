/**
 * Which program this page runs: the digest of the device's files, as `sha256sum *.js | sha256sum` prints it in their
 * folder, beside the one that the invitation names. The page's import map makes the browser run nothing else than the
 * files whose hashes it holds; here the same files are fetched, held against that map, and summed up.
 */

/** @typedef {{digest: string, pin: string | null, files: {name: string, url: string}[], whole: boolean}} Program */

const FOLDER = /(?:^|\/)web\/device\/([^/]+\.js)$/;

/**
 * @param {[string, string][]} more what the invitation says besides
 * @returns {Promise<Program>}
 */
export async function program(more) {
  const pin = more.find(([name]) => name === "device")?.[1] ?? null;
  const held = listed();
  const files = [...held].map(([url]) => ({ name: FOLDER.exec(url)?.[1] ?? url, url }));
  files.sort((one, other) => (one.name < other.name ? -1 : 1));
  const sums = await Promise.all(
    files.map(async ({ name, url }) => {
      const reply = await fetch(url, { credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" });
      const sum = await sha256(await reply.arrayBuffer());
      return { line: `${hex(sum)}  ${name}\n`, same: reply.ok && `sha256-${base64(sum)}` === held.get(url) };
    }),
  );
  const digest = hex(await sha256(new TextEncoder().encode(sums.map(({ line }) => line).join(""))));
  return { digest, pin, files, whole: files.length > 0 && sums.every(({ same }) => same) };
}

/** The device's files and their hashes, by the page's import map. @returns {Map<string, string>} */
function listed() {
  const map = document.querySelector('script[type="importmap"]')?.textContent ?? "{}";
  const hashes = JSON.parse(map).integrity ?? {};
  return new Map(Object.entries(hashes).filter(([url]) => FOLDER.test(url)));
}

/** @param {BufferSource} bytes */
async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}
