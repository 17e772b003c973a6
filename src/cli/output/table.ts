import { printable } from '../client.js';

/** Rows under a line of names. Columns of numbers are set to the right. */
export function table(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  right: ReadonlySet<string> = new Set(),
): string {
  const lines = [names, ...rows].map((row) => row.map(printable));
  const widths = names.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column]!))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => {
          const space = ' '.repeat(widths[column]! - widthOf(cell));
          return right.has(names[column]!) ? space + cell : cell + space;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const segmenter = new Intl.Segmenter();

/** Characters as a reader counts them. */
function widthOf(text: string): number {
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}

/** Names and what they stand for, one a line. */
export function facts(pairs: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`).join('\n');
}

/** Below it stands what rounding left of a difference that is none. */
const NOTICED_MIN = 1e-12;

/** Four digits say enough; nothing for what is not there. */
export function number(value: number | null): string {
  if (value === null) return '';
  return Math.abs(value) < NOTICED_MIN ? '0' : String(Number(value.toPrecision(4)));
}

export function signed(value: number | null): string {
  return value !== null && value >= NOTICED_MIN ? `+${number(value)}` : number(value);
}

export function percent(share: number | null): string {
  return share === null ? '' : `${number(share * 100)} %`;
}

export function seconds(value: number | null): string {
  return value === null ? '' : `${number(value)} s`;
}
