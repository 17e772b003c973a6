import type { Checkpoints } from './checkpoints.js';

/** Digits of the counter that a position may have after an id. */
const DIGITS = 8;

/**
 * Assigns positions to the checkpoints that one run stores. Positions sort in the order in which a thread's checkpoints
 * were stored. LangGraph derives ids from the machine's clock. They usually increase, and then the position equals the
 * id. When the clock was set back, a new id is below an older one. Its position then follows the newest one:
 * `<newest id>~00000001`. The newest checkpoint, the history and pruning therefore do not depend on a clock
 * (docs/decisions/0046-checkpoint-positions.md).
 */
export class CheckpointPositions {
  readonly #checkpoints: Checkpoints;
  readonly #uid: string;
  /** Positions that this run has assigned, by namespace and id. Not all of them are on disk yet. */
  readonly #assigned = new Map<string, string>();
  /** The newest position of each namespace that this run has stored in, and of the root if it is known. */
  readonly #newest = new Map<string, string>();
  /** The newest position of all namespaces. Set once an id does not increase. */
  #newestOfAll: string | null = null;

  /** `newestOfRoot`: the newest position of the root when the run starts, if it is known; null without one. */
  constructor(checkpoints: Checkpoints, uid: string, newestOfRoot?: string | null) {
    this.#checkpoints = checkpoints;
    this.#uid = uid;
    if (newestOfRoot !== undefined) this.#newest.set('', newestOfRoot ?? '');
  }

  /**
   * The position for a checkpoint that the run stores now. A checkpoint that is stored again keeps its position.
   * `isNew`: nothing is stored there, which is known without a read.
   */
  assign(ns: string, id: string): { position: string; isNew: boolean } {
    const name = checkpointName({ ns, id });
    const own = this.#assigned.get(name);
    if (own !== undefined) return { position: own, isNew: false };
    const newest = this.#newest.get(ns) ?? this.#checkpoints.newestPosition(this.#uid, ns) ?? '';
    const rises = id > newest && (this.#newestOfAll === null || id > this.#newestOfAll);
    const position = rises ? id : (this.#checkpoints.positionOf(this.#uid, ns, id) ?? this.#afterAll());
    this.#assigned.set(name, position);
    this.#newest.set(ns, greater(newest, position));
    if (this.#newestOfAll !== null) this.#newestOfAll = greater(this.#newestOfAll, position);
    return { position, isNew: rises };
  }

  /** The position of a stored checkpoint; null when there is none. */
  of(ns: string, id: string): string | null {
    return this.#assigned.get(checkpointName({ ns, id })) ?? this.#checkpoints.positionOf(this.#uid, ns, id);
  }

  #afterAll(): string {
    if (this.#newestOfAll === null) {
      const stored = this.#checkpoints
        .namespaceParts(this.#uid)
        .map((part) => this.#checkpoints.newestPosition(this.#uid, part) ?? '');
      this.#newestOfAll = [...stored, ...this.#newest.values()].reduce(greater, '');
    }
    return positionAfter(this.#newestOfAll);
  }
}

/** Identifies a checkpoint of a thread in a map. */
export function checkpointName({ ns, id }: { ns: string; id: string }): string {
  return `${ns}\u0000${id}`;
}

/** The next position, which is before every later id of the same length. */
export function positionAfter(position: string): string {
  const [id, number = '0'] = position.split('~') as [string, string?];
  return `${id}~${(Number.parseInt(number, 16) + 1).toString(16).padStart(DIGITS, '0')}`;
}

function greater(a: string, b: string): string {
  return a > b ? a : b;
}
