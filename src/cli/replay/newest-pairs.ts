import type { JudgedPair } from './gate.js';

const PAIRS_MAX = 1_000;
const PAIRS_CHARS_MAX = 64 * 1_024 * 1_024;

/** The newest pairs, as many as fit into an upload. */
export class NewestPairs {
  readonly #pairs: { graphId: string; pair: JudgedPair; chars: number }[] = [];
  #chars = 0;

  add(graphId: string, pair: JudgedPair): void {
    const chars = JSON.stringify(pair).length;
    this.#pairs.push({ graphId, pair, chars });
    this.#chars += chars;
    while (this.#pairs.length > PAIRS_MAX || (this.#pairs.length > 1 && this.#chars > PAIRS_CHARS_MAX))
      this.#chars -= this.#pairs.shift()!.chars;
  }

  get byGraph(): Map<string, JudgedPair[]> {
    const groups = new Map<string, JudgedPair[]>();
    for (const { graphId, pair } of this.#pairs) {
      const group = groups.get(graphId);
      if (group === undefined) groups.set(graphId, [pair]);
      else group.push(pair);
    }
    return groups;
  }
}
