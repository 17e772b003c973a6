import type { Checkpoints } from './checkpoints.js';

/** Digits of the number that a position has behind the id it follows. */
const DIGITS = 8;

/**
 * Assigns positions to the checkpoints that one run stores. Positions sort in the order in which a thread's checkpoints were
 * stored. LangGraph makes ids from the clock of the machine, and they usually rise: then the position is the id itself. When
 * the clock went back, an id lies below an older one. It gets the position right behind the newest one:
 * `<newest id>~00000001`. So the head of a thread, its history and its thinning do not depend on a clock
 * (docs/decisions/0046-checkpoint-positions.md).
 */
export class CheckpointPositions {
  readonly #checkpoints: Checkpoints;
  readonly #uid: string;
  /** Of what this run has stored, by namespace and id: not all of it is on disk yet. */
  readonly #own = new Map<string, string>();
  /** The newest position of each namespace that this run has stored in. */
  readonly #newest = new Map<string, string>();
  /** The newest of all namespaces, from the first id on that does not rise. */
  #newestOfAll: string | null = null;

  constructor(checkpoints: Checkpoints, uid: string) {
    this.#checkpoints = checkpoints;
    this.#uid = uid;
  }

  /** Where a checkpoint that the run stores now stands; one that is stored again keeps its position. */
  of(ns: string, id: string): string {
    const name = `${ns}\u0000${id}`;
    const own = this.#own.get(name);
    if (own !== undefined) return own;
    const newest = this.#newest.get(ns) ?? this.#checkpoints.newestPosition(this.#uid, ns) ?? '';
    const rises = id > newest && (this.#newestOfAll === null || id > this.#newestOfAll);
    const position = rises ? id : (this.#checkpoints.positionOf(this.#uid, ns, id) ?? this.#behindAll());
    this.#own.set(name, position);
    this.#newest.set(ns, greater(newest, position));
    if (this.#newestOfAll !== null) this.#newestOfAll = greater(this.#newestOfAll, position);
    return position;
  }

  #behindAll(): string {
    if (this.#newestOfAll === null) {
      const stored = this.#checkpoints
        .namespaceParts(this.#uid)
        .map((part) => this.#checkpoints.newestPosition(this.#uid, part) ?? '');
      this.#newestOfAll = [...stored, ...this.#newest.values()].reduce(greater, '');
    }
    return positionAfter(this.#newestOfAll);
  }
}

/** The position right behind this one, and before every later id of the same length. */
export function positionAfter(position: string): string {
  const [id, number = '0'] = position.split('~') as [string, string?];
  return `${id}~${(Number.parseInt(number, 16) + 1).toString(16).padStart(DIGITS, '0')}`;
}

function greater(a: string, b: string): string {
  return a > b ? a : b;
}
