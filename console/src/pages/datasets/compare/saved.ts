import type { View } from './view.js';

/** Data of a saved comparison. `threadmill compare --html` (src/cli/output/report.ts) writes the same format. */
export interface SavedComparison {
  at: string;
  dataset: { id: string; name: string };
  view: Partial<View>;
  /** False if only the first rows are included. */
  complete: boolean;
  /** Responses of the comparison API, in page order. */
  pages: readonly unknown[];
}

/** Placeholder for the data in the template. */
const PLACEHOLDER = '{{data}}';

/** Most rows in a file. The report says if rows were left out. */
export const SAVED_ROWS_MAX = 10_000;
/** Most characters of data in a file. */
export const SAVED_CHARS_MAX = 60_000_000;
/** Longer inputs and outputs are cut. */
export const SAVED_VALUE_CHARS_MAX = 20_000;

/** Inserts JSON into the template. `<` is escaped, so that content cannot close the script element. */
export function fillTemplate(template: string, json: string): string {
  return template.replace(PLACEHOLDER, () => json.replaceAll('<', String.raw`\u003c`));
}
