import { useMemo } from 'react';
import { prettyJson } from '../api/json.js';
import { diffSideBySide, type DiffRow, type DiffSide } from './diff-lines.js';
import { pluralize } from './format.js';
import styles from './diff.module.css';

/** Unchanged lines that are shown around a change. */
const CONTEXT_LINES = 3;
/** Characters of a line part that are shown. */
const PART_CHARS_MAX = 2_000;
/** Rows that are rendered. */
const ROWS_MAX = 2_000;

/** Two texts or values side by side. Values are compared as indented JSON. Long unchanged stretches are folded. */
export function Diff({
  left,
  right,
  leftName,
  rightName,
}: {
  left: unknown;
  right: unknown;
  leftName: string;
  rightName: string;
}) {
  const rows = useMemo(() => foldUnchanged(diffSideBySide(textOf(left), textOf(right))), [left, right]);
  if (rows.every(({ kind }) => kind !== 'changed')) return <p className="soft">No differences.</p>;
  return (
    <div className={styles['box']} tabIndex={0} role="region" aria-label={`${leftName} and ${rightName}`}>
      <table className={styles['diff']}>
        <colgroup>
          <col className={styles['lines']} />
          <col />
          <col className={styles['lines']} />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th colSpan={2} scope="col" dir="auto">
              {leftName}
            </th>
            <th colSpan={2} scope="col" dir="auto">
              {rightName}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_MAX).map((row, at) =>
            row.kind === 'fold' ? (
              <tr key={at}>
                <td colSpan={4} className={styles['fold']}>
                  {pluralize(row.lines, 'unchanged line')}
                </td>
              </tr>
            ) : (
              <tr key={at}>
                <Side side={row.left} kind={row.kind === 'same' ? 'same' : 'removed'} />
                <Side side={row.right} kind={row.kind === 'same' ? 'same' : 'added'} isRepeated={row.kind === 'same'} />
              </tr>
            ),
          )}
        </tbody>
      </table>
      {rows.length > ROWS_MAX ? (
        <p className="soft">{pluralize(rows.length - ROWS_MAX, 'more line')} not shown.</p>
      ) : null}
    </div>
  );
}

function Side({
  side,
  kind,
  isRepeated = false,
}: {
  side: DiffSide | null;
  kind: 'same' | 'removed' | 'added';
  /** The other side shows the same. */
  isRepeated?: boolean;
}) {
  const once = isRepeated ? styles['stackedOnce'] : '';
  if (side === null)
    return (
      <>
        <td className={`${styles['line']} ${styles['empty']}`} />
        <td className={styles['none']} />
      </>
    );
  return (
    <>
      <td className={`${styles['line']} ${once}`}>{side.line}</td>
      <td className={`${styles['text']} ${styles[kind]} ${once}`} dir="auto">
        {kind === 'same' ? null : (
          <span className="visually-hidden">{kind === 'removed' ? 'removed: ' : 'added: '}</span>
        )}
        {side.parts.map((part, at) => {
          const text = shorten(part.text, at === 0 && side.parts.length > 1);
          return part.kind === 'same' ? (
            <span key={at}>{text}</span>
          ) : (
            <mark key={at} className={styles[`${part.kind}Part`]}>
              {text}
            </mark>
          );
        })}
      </td>
    </>
  );
}

/** Shortens a long part to its beginning, or to its end if a change follows. Browsers cannot lay out megabytes. */
function shorten(text: string, keepEnd: boolean): string {
  const more = text.length - PART_CHARS_MAX;
  if (more <= 0) return text;
  const note = `… ${pluralize(more, 'character')} …`;
  return keepEnd ? `${note} ${text.slice(more)}` : `${text.slice(0, PART_CHARS_MAX)} ${note}`;
}

type VisibleRow = DiffRow | { kind: 'fold'; lines: number };

function foldUnchanged(rows: readonly DiffRow[]): VisibleRow[] {
  const near = new Set<number>();
  rows.forEach(({ kind }, at) => {
    if (kind === 'changed') for (let one = at - CONTEXT_LINES; one <= at + CONTEXT_LINES; one += 1) near.add(one);
  });
  const shown: VisibleRow[] = [];
  rows.forEach((row, at) => {
    if (near.has(at)) {
      shown.push(row);
      return;
    }
    const last = shown.at(-1);
    if (last?.kind === 'fold') last.lines += 1;
    else shown.push({ kind: 'fold', lines: 1 });
  });
  return shown;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : prettyJson(value);
}
