import type { ComparedRow, Comparison } from '../api/evaluation.js';
import { selectRows } from './select-rows.js';
import { ROWS_PER_PAGE, type ComparisonSource, type FullRun } from '../pages/datasets/compare/source.js';
import type { SavedComparison } from '../pages/datasets/compare/saved.js';

export interface FileSource extends ComparisonSource {
  /** Rows in the file. */
  rowCount: number;
  /** Rows of the comparison when it was saved. */
  total: number;
}

/** Source that filters and sorts the rows of a file in the same way as the server. */
export function fileSource(saved: SavedComparison): FileSource {
  const pages = saved.pages as readonly Comparison[];
  const [first] = pages;
  if (first === undefined) throw new Error('The saved comparison has no pages.');
  const rows = pages.flatMap((page) => page.rows);
  return {
    id: ['file'],
    saved: { at: saved.at },
    rowCount: rows.length,
    total: first.total,
    page: (view, at) => {
      const key =
        view.key !== null && first.feedback_keys.includes(view.key) ? view.key : (first.feedback_keys[0] ?? null);
      const chosen = selectRows(rows, first.experiments, key, view);
      const place =
        'offset' in at
          ? at.offset
          : Math.max(
              0,
              chosen.findIndex(({ example }) => example.id === at.example_id),
            );
      const offset = place - (place % ROWS_PER_PAGE);
      return Promise.resolve({
        ...first,
        feedback_key: key,
        total: chosen.length,
        offset,
        rows: chosen.slice(offset, offset + ROWS_PER_PAGE),
        next_cursor: null,
      });
    },
    summary: () => Promise.resolve({ ...first, rows: [] }),
    // Of long values the file has only the beginning.
    example: ({ example }) =>
      Promise.resolve({
        ...example,
        inputs: example.inputs ?? example.inputs_preview ?? null,
        outputs: example.outputs ?? example.outputs_preview ?? null,
      }),
    runs: (row, experimentId) => Promise.resolve(wholeRuns(row, experimentId)),
    runHref: null,
  };
}

function wholeRuns(row: ComparedRow, experimentId: string): FullRun[] {
  return (row.runs[experimentId] ?? []).map(({ feedbacks, total_cost: _cost, ...run }) => ({
    ...run,
    feedback: feedbacks,
  }));
}
