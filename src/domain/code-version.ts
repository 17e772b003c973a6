/** Characters of a code version's hash that people see. */
const SHORT_CHARS = 12;

/** The beginning of the hash of a graph's code, which names a version for people. */
export function shortVersion(hash: string): string {
  return hash.slice(0, SHORT_CHARS);
}
