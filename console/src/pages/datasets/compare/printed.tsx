import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ComparedExperiment } from '../../../api/evaluation.js';
import { many } from '../../../components/format.js';
import { short } from '../../../shared/scores.js';
import type { Scale } from './cell-face.js';
import { CellContent, shadeOf } from './cell.js';
import type { Rows } from './use-rows.js';
import styles from './printed.module.css';

/** Rows on paper: some dozen pages. */
export const PRINTED_ROWS_MAX = 500;

/** Paper does not scroll: for it the rows are a table. */
export function Printed({
  rows,
  total,
  experiments,
  feedbackKey,
  scale,
}: {
  rows: Rows;
  total: number;
  experiments: readonly ComparedExperiment[];
  feedbackKey: string | null;
  scale: Scale;
}) {
  const there = Array.from({ length: Math.min(total, PRINTED_ROWS_MAX) }, (_, index) => rows.at(index)).filter(
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
          {there.map((row) => (
            <tr key={row.example.id}>
              <th scope="row" dir="auto">
                {row.example.inputs_preview?.slice(0, 300) ?? short(row.example.inputs, 300)}
              </th>
              {experiments.map(({ id, versus_baseline: versus }) => (
                <td key={id} className={shadeOf(row, id, feedbackKey, scale)}>
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
      {there.length < total ? (
        <p>
          The first {there.length} of {many(total, 'example')}.
        </p>
      ) : null}
    </>
  );
}

/** True while the page goes to paper. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // The browser takes what stands there when the listener is done.
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
