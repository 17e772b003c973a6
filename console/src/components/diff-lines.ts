import { diffLines, diffWordsWithSpace } from 'diff';

export interface DiffPart {
  text: string;
  kind: 'same' | 'gone' | 'new';
}
/** A line on one side, or none where the other side has one more. `parts`: what within it differs. */
export interface DiffSide {
  line: number;
  parts: readonly DiffPart[];
}
export interface DiffRow {
  left: DiffSide | null;
  right: DiffSide | null;
  kind: 'same' | 'changed';
}

/** Beyond this the comparison stops looking for the smallest one: a browser must not stand still. */
const EDITS_MAX = 4_000;
/** Of longer lines only the common beginning and end are found. */
const WORDS_MAX = 5_000;

/** Two texts side by side, line by line. Where they differ all over, all of the left is gone and all of the right is new. */
export function sideBySide(left: string, right: string): DiffRow[] {
  const changes = diffLines(left, right, { maxEditLength: EDITS_MAX }) ?? [
    { value: left, removed: true, added: false },
    { value: right, removed: false, added: true },
  ];
  const rows: DiffRow[] = [];
  let [leftLine, rightLine] = [1, 1];
  for (let at = 0; at < changes.length; at += 1) {
    const change = changes[at]!;
    const lines = linesOf(change.value);
    if (!change.added && !change.removed) {
      for (const text of lines)
        rows.push({ left: whole(leftLine++, text, 'same'), right: whole(rightLine++, text, 'same'), kind: 'same' });
      continue;
    }
    const follower = changes[at + 1];
    const pair = change.removed && follower?.added === true;
    if (pair) at += 1;
    const [gone, come] = change.removed ? [lines, pair ? linesOf(follower.value) : []] : [[], lines];
    for (let row = 0; row < Math.max(gone.length, come.length); row += 1) {
      const [before, after] = [gone[row], come[row]];
      const [a, b] = before !== undefined && after !== undefined ? words(before, after) : [null, null];
      rows.push({
        left: before === undefined ? null : { line: leftLine++, parts: a ?? [{ text: before, kind: 'gone' }] },
        right: after === undefined ? null : { line: rightLine++, parts: b ?? [{ text: after, kind: 'new' }] },
        kind: 'changed',
      });
    }
  }
  return rows;
}

function whole(line: number, text: string, kind: DiffPart['kind']): DiffSide {
  return { line, parts: [{ text, kind }] };
}

function words(before: string, after: string): [DiffPart[], DiffPart[]] {
  if (before.length + after.length > WORDS_MAX) return ends(before, after);
  const changes = diffWordsWithSpace(before, after);
  const side = (own: 'gone' | 'new'): DiffPart[] =>
    changes
      .filter(({ added, removed }) => (own === 'gone' ? !added : !removed))
      .map(({ value, added, removed }) => ({ text: value, kind: added || removed ? own : 'same' }));
  return [side('gone'), side('new')];
}

/** What differs of two very long lines: all between their common beginning and their common end. */
function ends(before: string, after: string): [DiffPart[], DiffPart[]] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const side = (text: string, own: 'gone' | 'new'): DiffPart[] =>
    (
      [
        { text: text.slice(0, start), kind: 'same' },
        { text: text.slice(start, text.length - end), kind: own },
        { text: text.slice(text.length - end), kind: 'same' },
      ] satisfies DiffPart[]
    ).filter(({ text: part }) => part !== '');
  return [side(before, 'gone'), side(after, 'new')];
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
