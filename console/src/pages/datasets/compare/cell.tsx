import { CircleAlert } from 'lucide-react';
import type { ComparedRow } from '../../../api/evaluation.js';
import { figure } from '../../../components/format.js';
import { seconds, short, signed } from '../../../shared/scores.js';
import { faceOf, type Face, type Scale } from './cell-face.js';
import styles from './cell.module.css';

/** Characters that fit in a cell with some to spare. */
const SHOWN = 260;
const WORDS = { better: 'better', worse: 'worse', same: 'same' } as const;

/** What one experiment made of one example: in the grid, and with more room in print. */
export function CellContent({
  row,
  experimentId,
  feedbackKey,
  scale,
  isBaseline,
}: {
  row: ComparedRow;
  experimentId: string;
  feedbackKey: string | null;
  scale: Scale;
  isBaseline: boolean;
}) {
  const runs = row.runs[experimentId] ?? [];
  const [run] = runs;
  if (run === undefined) return <span className={styles['none']}>Not run</span>;
  const face = faceOf(row, experimentId, feedbackKey, scale);
  const latency = row.latencies[experimentId];
  const error = runs.find((one) => one.error !== null)?.error ?? null;
  return (
    <>
      <span className={styles['head']}>
        <Score face={face} hasKey={feedbackKey !== null} />
        {isBaseline ? null : <Change face={face} />}
      </span>
      {error === null ? (
        <span className={styles['output']} dir="auto">
          {run.outputs_preview?.slice(0, SHOWN) ?? short(run.outputs, SHOWN)}
        </span>
      ) : (
        <span className={styles['error']}>
          <CircleAlert size={13} aria-hidden />
          <span className="seen-by-readers-only">Error: </span>
          <span className={styles['output']} dir="auto">
            {error.slice(0, SHOWN)}
          </span>
        </span>
      )}
      <span className={styles['foot']}>
        {latency === null || latency === undefined ? 'not ended' : seconds(latency)}
        {runs.length > 1 ? ` · ${runs.length} runs` : ''}
      </span>
    </>
  );
}

function Score({ face: { score, label }, hasKey }: { face: Face; hasKey: boolean }) {
  if (!hasKey) return null;
  return (
    <span className={styles['score']} dir="auto">
      {score !== null ? figure(score) : (label ?? <span className={styles['none']}>no score</span>)}
    </span>
  );
}

export function Change({
  face: { difference, kind },
  format = figure,
}: {
  face: Face;
  format?: (value: number) => string;
}) {
  if (difference === null || kind === null) return null;
  return (
    <span className={`${styles['change']} ${styles[`${kind}Text`]}`}>
      {signed(difference, format)} {WORDS[kind]}
    </span>
  );
}

/** The shade of a cell: its direction by colour, its size by depth. */
export function shadeOf(row: ComparedRow, experimentId: string, key: string | null, scale: Scale): string {
  const { kind, step } = faceOf(row, experimentId, key, scale);
  return kind === null || step === 0 ? '' : styles[`${kind}${step}`]!;
}
