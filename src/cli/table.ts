import { printable } from './client.js';

/** Rows under a line of names. Columns of numbers are set to the right. */
export function table(names: readonly string[], rows: readonly (readonly string[])[], right: ReadonlySet<string> = new Set()): string {
  const lines = [names, ...rows].map((row) => row.map(printable));
  const widths = names.map((_, column) => Math.max(...lines.map((line) => [...line[column]!].length)));
  return lines.map((line) => line.map((cell, column) => {
    const space = ' '.repeat(widths[column]! - [...cell].length);
    return right.has(names[column]!) ? space + cell : cell + space;
  }).join('  ').trimEnd()).join('\n');
}

/** Names and what they stand for, one a line. */
export function facts(pairs: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`).join('\n');
}

/** Four digits say enough; nothing for what is not there. */
export function number(value: number | null | undefined): string {
  return value == null ? '' : String(Number(value.toPrecision(4)));
}

export function signed(value: number | null | undefined): string {
  return value != null && value > 0 ? `+${number(value)}` : number(value);
}

export function percent(share: number | null | undefined): string {
  return share == null ? '' : `${number(share * 100)} %`;
}

export function seconds(value: number | null | undefined): string {
  return value == null ? '' : `${number(value)} s`;
}
