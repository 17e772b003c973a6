import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ComparedExperiment } from '../../../api/evaluation.js';
import { pluralize } from '../../../components/format.js';
import { shortText } from '../../../shared/scores.js';
import type { Scale } from './cell-state.js';
import { CellContent, shadeClass } from './cell.js';
import type { ComparisonRows } from './use-rows.js';
import styles from './print-table.module.css';

/** Most rows in print, which is a few dozen pages. */
export const PRINTED_ROWS_MAX = 500;

/** The rows as a plain table for printing, because the virtual grid contains only visible rows. */
export function PrintTable({
  rows,
  total,
  experiments,
  feedbackKey,
  scale,
}: {
  rows: ComparisonRows;
  total: number;
  experiments: readonly ComparedExperiment[];
  feedbackKey: string | null;
  scale: Scale;
}) {
  const loadedRows = Array.from({ length: Math.min(total, PRINTED_ROWS_MAX) }, (_, index) => rows.at(index)).filter(
    (row) => row !== undefined,
  );
  return (
    <>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">Example</th>
            {experiments.map(({ id, name, versus_baseline: versus }) => (
              <th key={id} scope="col" dir="auto">
                {name}
                {versus === null ? ' (baseline)' : ''}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {loadedRows.map((row) => (
            <tr key={row.example.id}>
              <th scope="row" dir="auto">
                {row.example.inputs_preview?.slice(0, 300) ?? shortText(row.example.inputs, 300)}
              </th>
              {experiments.map(({ id, versus_baseline: versus }) => (
                <td key={id} className={shadeClass(row, id, feedbackKey, scale)}>
                  <CellContent
                    row={row}
                    experimentId={id}
                    feedbackKey={feedbackKey}
                    scale={scale}
                    isBaseline={versus === null}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {loadedRows.length < total ? (
        <p>
          Showing the first {loadedRows.length} of {pluralize(total, 'example')}.
        </p>
      ) : null}
    </>
  );
}

/** True while the page is printed. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // The browser prints the DOM as it is when the listener returns.
    const before = (): void => flushSync(() => setPrinting(true));
    const after = (): void => setPrinting(false);
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, []);
  return printing;
}
