import { useMemo } from 'react';
import { prettyJson } from '../api/json.js';
import { sideBySide, type DiffRow, type DiffSide } from './diff-lines.js';
import { many } from './format.js';
import styles from './diff.module.css';

/** Same lines that are shown around a change. */
const AROUND = 3;
/** Characters of a line that are shown at once. */
const PART_MAX = 2_000;
/** Rows that are made at once. */
const ROWS_MAX = 2_000;

/** Two values or texts beside each other; JSON is compared as it is printed. Same lines far from a change are folded. */
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
  const rows = useMemo(() => folded(sideBySide(textOf(left), textOf(right))), [left, right]);
  if (rows.every(({ kind }) => kind !== 'changed')) return <p className="soft">Both are the same.</p>;
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
                  {many(row.lines, 'line')} the same
                </td>
              </tr>
            ) : (
              <tr key={at}>
                <Side side={row.left} kind={row.kind === 'same' ? 'same' : 'gone'} />
                <Side side={row.right} kind={row.kind === 'same' ? 'same' : 'new'} />
              </tr>
            ),
          )}
        </tbody>
      </table>
      {rows.length > ROWS_MAX ? <p className="soft">{many(rows.length - ROWS_MAX, 'line')} more.</p> : null}
    </div>
  );
}

function Side({ side, kind }: { side: DiffSide | null; kind: 'same' | 'gone' | 'new' }) {
  if (side === null)
    return (
      <>
        <td className={styles['line']} />
        <td className={styles['none']} />
      </>
    );
  return (
    <>
      <td className={styles['line']}>{side.line}</td>
      <td className={`${styles['text']} ${styles[kind]}`} dir="auto">
        {kind === 'same' ? null : (
          <span className="seen-by-readers-only">{kind === 'gone' ? 'only left: ' : 'only right: '}</span>
        )}
        {side.parts.map((part, at) => {
          const text = cut(part.text, at === 0 && side.parts.length > 1);
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

/** Of a part of a megabyte its beginning, or its end where the change follows: a browser would not lay out more. */
function cut(text: string, itsEnd: boolean): string {
  const more = text.length - PART_MAX;
  if (more <= 0) return text;
  const note = `… ${many(more, 'character')} …`;
  return itsEnd ? `${note} ${text.slice(more)}` : `${text.slice(0, PART_MAX)} ${note}`;
}

type Shown = DiffRow | { kind: 'fold'; lines: number };

function folded(rows: readonly DiffRow[]): Shown[] {
  const near = new Set<number>();
  rows.forEach(({ kind }, at) => {
    if (kind === 'changed') for (let one = at - AROUND; one <= at + AROUND; one += 1) near.add(one);
  });
  const shown: Shown[] = [];
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
