import { CircleAlert } from 'lucide-react';
import type { ComparedRow } from '../../../api/evaluation.js';
import { formatNumber } from '../../../components/format.js';
import { formatSeconds, shortText, formatSigned } from '../../../shared/scores.js';
import { cellState, type CellState, type Scale } from './cell-state.js';
import styles from './cell.module.css';

/** More characters than fit into a cell. */
const PREVIEW_CHARS_MAX = 260;
const WORDS = { better: 'better', worse: 'worse', same: 'same' } as const;

/** Result of one experiment for one example, in the grid and in print. */
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
  const face = cellState(row, experimentId, feedbackKey, scale);
  const latency = row.latencies[experimentId];
  const error = runs.find((one) => one.error !== null)?.error ?? null;
  return (
    <>
      <span className={styles['head']}>
        <Score face={face} hasKey={feedbackKey !== null} />
        {isBaseline ? null : <ScoreChange face={face} />}
      </span>
      {error === null ? (
        <span className={styles['output']} dir="auto">
          {run.outputs_preview?.slice(0, PREVIEW_CHARS_MAX) ?? shortText(run.outputs, PREVIEW_CHARS_MAX)}
        </span>
      ) : (
        <span className={styles['error']}>
          <CircleAlert size={13} aria-hidden />
          <span className="visually-hidden">Error: </span>
          <span className={styles['output']} dir="auto">
            {error.slice(0, PREVIEW_CHARS_MAX)}
          </span>
        </span>
      )}
      <span className={styles['foot']}>
        {latency === null || latency === undefined ? 'Not ended' : formatSeconds(latency)}
        {runs.length > 1 ? ` · ${runs.length} runs` : ''}
      </span>
    </>
  );
}

function Score({ face: { score, label }, hasKey }: { face: CellState; hasKey: boolean }) {
  if (!hasKey) return null;
  return (
    <span className={styles['score']} dir="auto">
      {score !== null ? formatNumber(score) : (label ?? <span className={styles['none']}>No score</span>)}
    </span>
  );
}

export function ScoreChange({
  face: { difference, kind },
  format = formatNumber,
}: {
  face: CellState;
  format?: (value: number) => string;
}) {
  if (difference === null || kind === null) return null;
  return (
    <span className={`${styles['change']} ${styles[`${kind}Text`]}`}>
      {formatSigned(difference, format)} {WORDS[kind]}
    </span>
  );
}

/** CSS class for the background of a cell: color by direction, depth by size of the difference. */
export function shadeClass(row: ComparedRow, experimentId: string, key: string | null, scale: Scale): string {
  const { kind, shade } = cellState(row, experimentId, key, scale);
  return kind === null || shade === 0 ? '' : styles[`${kind}${shade}`]!;
}
