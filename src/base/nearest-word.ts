import { distance } from 'fastest-levenshtein';

/** Of three letters at most one may be wrong, of many at most three. */
const WRONG_MAX = 3;
const WRONG_SHARE_MAX = 0.4;

/** What was most likely meant by a word that is not known; null when nothing is near enough. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let fewest = Math.min(WRONG_MAX, Math.floor(word.length * WRONG_SHARE_MAX)) + 1;
  for (const one of known) {
    // allowOrigins is allow_origins in another spelling, and no slip of the fingers.
    const wrong = plain(one) === plain(word) ? 0 : distance(one.toLowerCase(), word.toLowerCase());
    if (wrong < fewest) [best, fewest] = [one, wrong];
  }
  return best;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[_-]/g, '');
}
