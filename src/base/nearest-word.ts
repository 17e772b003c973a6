import { distance } from 'fastest-levenshtein';

/** Typing errors tolerated: one in three letters, at most three in a longer word. */
const WRONG_MAX = 3;
const WRONG_SHARE_MAX = 0.4;

/** The known word that was most likely meant; null when none is close enough. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let fewest = Math.min(WRONG_MAX, Math.floor(word.length * WRONG_SHARE_MAX)) + 1;
  for (const one of known) {
    // Another spelling of the same words, such as allowOrigins for allow_origins, counts as no error.
    const wrong = plain(one) === plain(word) ? 0 : distance(one.toLowerCase(), word.toLowerCase());
    if (wrong < fewest) [best, fewest] = [one, wrong];
  }
  return best;
}

/** The known words, those most like the word first. */
export function nearestFirst(word: string, known: readonly string[]): string[] {
  return known
    .map((one) => ({ one, wrong: plain(one) === plain(word) ? 0 : distance(one.toLowerCase(), word.toLowerCase()) }))
    .sort((a, b) => a.wrong - b.wrong || (a.one < b.one ? -1 : 1))
    .map(({ one }) => one);
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[_-]/g, '');
}
