import type { Plugin } from 'esbuild';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import subsetFont from 'subset-font';

/**
 * OpenType features that the console uses: marks, pairs and tabular figures. Contextual alternates (`calt`) are left
 * out on purpose: Inter draws "->" as an arrow and "2x4" with a multiplication sign, so messages and values would look
 * different from what they are.
 */
const FEATURES = ['ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'tnum'];

/**
 * Bundles fonts with the characters, weights and features that the console uses. Halves the font of the first view.
 * Characters and weights are those that console/src/components/fonts.css announces.
 */
export function smallFonts(root: string): Plugin {
  const faces = readFaces(join(root, 'console', 'src', 'components', 'fonts.css'));
  return {
    name: 'small-fonts',
    setup({ onLoad }) {
      onLoad({ filter: /\.woff2$/ }, async ({ path }) => {
        const face = faces.get(basename(path));
        if (face === undefined) throw new Error(`fonts.css has no font face with ${basename(path)}.`);
        return {
          loader: 'file',
          contents: await subsetFont(readFileSync(path), face.characters, {
            targetFormat: 'woff2',
            keepFeatures: FEATURES,
            variationAxes: { wght: face.weights },
          }),
        };
      });
    },
  };
}

interface FontFace {
  characters: string;
  weights: { min: number; max: number };
}

/** The font faces of a stylesheet by the names of their files. */
function readFaces(file: string): Map<string, FontFace> {
  const faces = new Map<string, FontFace>();
  for (const [, face] of readFileSync(file, 'utf8').matchAll(/@font-face \{([^}]*)\}/g)) {
    const value = (pattern: RegExp): string => {
      const found = pattern.exec(face!)?.[1];
      if (found === undefined) throw new Error(`${file} has a font face without ${pattern.source}.`);
      return found;
    };
    const [min, max] = value(/font-weight: ([\d ]+);/)
      .split(' ')
      .map(Number);
    faces.set(basename(value(/url\('([^']+)'\)/)), {
      characters: value(/unicode-range:([^;]+);/)
        .split(',')
        .map(charactersOf)
        .join(''),
      weights: { min: min!, max: max! },
    });
  }
  return faces;
}

/** Of a range such as "U+0000-00FF". */
function charactersOf(range: string): string {
  const [first, last] = range.trim().slice('U+'.length).split('-');
  let characters = '';
  for (let code = Number.parseInt(first!, 16); code <= Number.parseInt(last ?? first!, 16); code += 1)
    characters += String.fromCodePoint(code);
  return characters;
}
