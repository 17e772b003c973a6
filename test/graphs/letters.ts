const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** How often each letter is in a text: near is what has the same letters. Some words make it fail. */
export async function embed(texts: string[]): Promise<unknown> {
  if (texts.some((text) => text.includes('EXPLODE'))) throw new Error('no such model');
  if (texts.some((text) => text.includes('STAND STILL'))) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (texts.some((text) => text.includes('FEWER'))) return [];
  if (texts.some((text) => text.includes('SHORT'))) return texts.map(() => [1, 2]);
  if (texts.some((text) => text.includes('NAN'))) return texts.map(() => Array.from(LETTERS, () => Number.NaN));
  return texts.map((text) => Array.from(LETTERS, (letter) => text.toLowerCase().split(letter).length - 1));
}

export const notAFunction = 7;
