import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from '../helpers/server.js';

const TOKENS = readFileSync(join(ROOT, 'console', 'src', 'components', 'tokens.css'), 'utf8');
const TEXT_MIN = 4.5;
/** WCAG 1.4.11: what shows where a control is. */
const CONTROL_MIN = 3;
const SURFACES = ['paper', 'paper-sunken', 'paper-raised', 'paper-hover', 'paper-chosen'];

/** Text or borders, and the surfaces that they are on. */
const PAIRS: readonly (readonly [front: readonly string[], back: readonly string[], min: number])[] = [
  [['ink', 'ink-soft', 'accent', 'accent-hover'], SURFACES, TEXT_MIN],
  [['good', 'bad', 'warn', 'info', 'neutral'], ['paper', 'paper-raised', 'paper-hover'], TEXT_MIN],
  ...(['good', 'bad', 'warn', 'info', 'neutral'] as const).map((name) => [[name], [`${name}-wash`], TEXT_MIN] as const),
  [['json-string', 'json-number', 'json-literal'], ['paper', 'paper-sunken', 'paper-raised'], TEXT_MIN],
  // Colors of code beside those of JSON.
  [['info', 'warn', 'bad'], ['paper-sunken'], TEXT_MIN],
  [['on-accent'], ['accent', 'accent-hover'], TEXT_MIN],
  [['line-strong'], ['paper', 'paper-raised'], CONTROL_MIN],
];

function colorOf(name: string, theme: number): string {
  const pair = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(TOKENS);
  if (pair === null) throw new Error(`tokens.css has no color --${name}`);
  return pair[theme + 1]!;
}

/** Relative luminance as in WCAG 2.2. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

t.test('colors of text and controls have enough contrast in both themes', (t) => {
  t.equal(Math.round(contrast('#000000', '#ffffff')), 21);
  for (const [fronts, backs, min] of PAIRS)
    for (const front of fronts)
      for (const back of backs)
        for (const [theme, themeName] of ['light', 'dark'].entries()) {
          const ratio = contrast(colorOf(front, theme), colorOf(back, theme));
          t.ok(ratio >= min, `${front} on ${back}, ${themeName}: ${ratio.toFixed(2)}`);
        }
  t.end();
});
