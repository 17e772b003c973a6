import stringWidth from 'string-width';
import { printable } from '../client.js';

/** Aligns rows in columns under a line of names. Columns in `right` are aligned to the right. */
export function formatTable(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  right: ReadonlySet<string> = new Set(),
): string {
  const lines = [names, ...rows].map((row) => row.map(printable));
  const widths = names.map((_, column) => Math.max(...lines.map((line) => stringWidth(line[column]!))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => {
          const space = ' '.repeat(widths[column]! - stringWidth(cell));
          return right.has(names[column]!) ? space + cell : cell + space;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats one pair per line, with the values in one column. */
export function formatPairs(pairs: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`).join('\n');
}

/** Smaller differences are rounding errors. */
const ROUNDING_NOISE = 1e-12;

/** A number with four significant digits; empty for null. */
export function formatNumber(value: number | null): string {
  if (value === null) return '';
  return Math.abs(value) < ROUNDING_NOISE ? '0' : String(Number(value.toPrecision(4)));
}

/** The same with a plus sign before positive numbers. */
export function formatSigned(value: number | null): string {
  return value !== null && value >= ROUNDING_NOISE ? `+${formatNumber(value)}` : formatNumber(value);
}

export function formatPercent(share: number | null): string {
  return share === null ? '' : `${formatNumber(share * 100)} %`;
}

export function formatSeconds(value: number | null): string {
  return value === null ? '' : `${formatNumber(value)} s`;
}
