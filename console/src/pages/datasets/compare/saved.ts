import type { View } from './view.js';

/** What a saved comparison holds: the server's own answers, and the view it was saved in. `threadmill compare --html` (src/cli/output/report.ts) writes the same. */
export interface SavedComparison {
  at: string;
  dataset: { id: string; name: string };
  view: Partial<View>;
  /** False: it has the first rows only. */
  complete: boolean;
  /** Answers to one question, page after page. */
  pages: readonly unknown[];
}

/** Where the template takes the data in. */
const PLACE = '{{data}}';

/** Rows of a file; what is over it is left out, and the file says so. */
export const SAVED_ROWS_MAX = 10_000;
/** Characters of a file's data, for rows may be long. */
export const SAVED_CHARS_MAX = 60_000_000;
/** Longer inputs and outputs are cut in a file. */
export const SAVED_VALUE_CHARS_MAX = 20_000;

/** JSON texts into the page. A `<` in them is written as a number: nothing that anybody has said can end the element it stands in. */
export function filled(template: string, json: string): string {
  return template.replace(PLACE, () => json.replaceAll('<', String.raw`\u003c`));
}
