import { diffLines, diffWordsWithSpace } from 'diff';

export interface DiffPart {
  text: string;
  kind: 'same' | 'removed' | 'added';
}
/** A line on one side, split into parts that differ or not. */
export interface DiffSide {
  line: number;
  parts: readonly DiffPart[];
}
/** A pair of lines. A side is null where the other side has an extra line. */
export interface DiffRow {
  left: DiffSide | null;
  right: DiffSide | null;
  kind: 'same' | 'changed';
}

/** Beyond this edit distance the search for a minimal diff stops, so that the browser stays responsive. */
const EDITS_MAX = 4_000;
/** In longer lines only the common prefix and suffix are recognized. Characters of both lines. */
const WORD_DIFF_CHARS_MAX = 5_000;

/** Compares two texts line by line. Beyond `EDITS_MAX` all left lines count as removed and all right lines as added. */
export function diffSideBySide(left: string, right: string): DiffRow[] {
  const changes = diffLines(left, right, { maxEditLength: EDITS_MAX }) ?? [
    { value: left, removed: true, added: false },
    { value: right, removed: false, added: true },
  ];
  const rows: DiffRow[] = [];
  let [leftLine, rightLine] = [1, 1];
  for (let at = 0; at < changes.length; at += 1) {
    const change = changes[at]!;
    const lines = splitLines(change.value);
    if (!change.added && !change.removed) {
      for (const text of lines)
        rows.push({
          left: wholeLine(leftLine++, text, 'same'),
          right: wholeLine(rightLine++, text, 'same'),
          kind: 'same',
        });
      continue;
    }
    const following = changes[at + 1];
    const pair = change.removed && following?.added === true;
    if (pair) at += 1;
    const [removedLines, addedLines] = change.removed ? [lines, pair ? splitLines(following.value) : []] : [[], lines];
    for (let row = 0; row < Math.max(removedLines.length, addedLines.length); row += 1) {
      const [before, after] = [removedLines[row], addedLines[row]];
      const [a, b] = before !== undefined && after !== undefined ? diffWords(before, after) : [null, null];
      rows.push({
        left: before === undefined ? null : { line: leftLine++, parts: a ?? [{ text: before, kind: 'removed' }] },
        right: after === undefined ? null : { line: rightLine++, parts: b ?? [{ text: after, kind: 'added' }] },
        kind: 'changed',
      });
    }
  }
  return rows;
}

function wholeLine(line: number, text: string, kind: DiffPart['kind']): DiffSide {
  return { line, parts: [{ text, kind }] };
}

function diffWords(before: string, after: string): [DiffPart[], DiffPart[]] {
  if (before.length + after.length > WORD_DIFF_CHARS_MAX) return diffMiddles(before, after);
  const changes = diffWordsWithSpace(before, after);
  const side = (own: 'removed' | 'added'): DiffPart[] =>
    changes
      .filter(({ added, removed }) => (own === 'removed' ? !added : !removed))
      .map(({ value, added, removed }) => ({ text: value, kind: added || removed ? own : 'same' }));
  return [side('removed'), side('added')];
}

/** Marks everything between the common prefix and the common suffix of two very long lines. */
function diffMiddles(before: string, after: string): [DiffPart[], DiffPart[]] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const side = (text: string, own: 'removed' | 'added'): DiffPart[] =>
    (
      [
        { text: text.slice(0, start), kind: 'same' },
        { text: text.slice(start, text.length - end), kind: own },
        { text: text.slice(text.length - end), kind: 'same' },
      ] satisfies DiffPart[]
    ).filter(({ text: part }) => part !== '');
  return [side(before, 'removed'), side(after, 'added')];
}

function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
