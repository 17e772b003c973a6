import { SERVER_CALLER, type Caller } from '../../domain/caller.js';
import type { JsonBytes, JsonObject } from '../../base/json/json.js';
import { Crons, type CronRecord } from '../../store/crons.js';
import type { Commit, Store } from '../../store/env.js';
import { Latest } from '../../store/read-your-writes.js';

/** What of a cron is in memory: by what it is found and put in order, and when it is due. */
export type CronEntry = Readonly<
  Pick<
    CronRecord,
    | 'cronId'
    | 'assistantId'
    | 'threadId'
    | 'identity'
    | 'enabled'
    | 'createdAtMs'
    | 'updatedAtMs'
    | 'nextAtMs'
    | 'endAtMs'
  >
>;

/**
 * Every cron there is, and those that are due at which time. A change is decided on this table and on the store as it will
 * be, in one turn: so a slot is claimed once, however close a firing and a change come together.
 */
export class CronTable {
  readonly #latest: Latest;
  readonly #crons: Crons;
  readonly #stored: Crons;
  /** In the order of creation. */
  readonly #entries = new Map<string, CronEntry>();
  /** Ids by slot. Slots are whole minutes, so there are few. */
  readonly #slots = new Map<number, Set<string>>();
  /** Ids by thread: with a thread its crons go, and threads go by the thousand. */
  readonly #ofThread = new Map<string, Set<string>>();
  readonly #ofCaller = new Map<string, number>();
  /** Told of a slot that was not there before. */
  onSlot: (atMs: number) => void = () => undefined;

  constructor(store: Store) {
    this.#latest = new Latest(store);
    this.#crons = new Crons(this.#latest, store);
    this.#stored = new Crons(store, store);
  }

  /** Start-up: all that is stored. */
  load(): void {
    for (const record of this.#crons.all()) this.#enter(record);
  }

  get size(): number {
    return this.#entries.size;
  }

  countOf(identity: string): number {
    return this.#ofCaller.get(identity) ?? 0;
  }

  /** In the order of creation. */
  entries(): Iterable<CronEntry> {
    return this.#entries.values();
  }

  /** The cron as it is on disk, for reading; undefined when there is none, or none that this caller sees. */
  read(caller: Caller, cronId: string): CronRecord | undefined {
    return this.#stored.get(caller, cronId);
  }

  readPayload(caller: Caller, cronId: string): JsonBytes {
    return this.#stored.payload(caller, cronId);
  }

  /** The cron with the changes that are on their way to the disk, for whoever changes or fires it; undefined as `read`. */
  find(caller: Caller, cronId: string): CronRecord | undefined {
    return this.#entries.has(cronId) ? this.#crons.get(caller, cronId) : undefined;
  }

  payload(caller: Caller, cronId: string): JsonBytes {
    return this.#crons.payload(caller, cronId);
  }

  candidates(caller: Caller, metadata: JsonObject): ReadonlySet<string> | null {
    return this.#crons.candidates(caller, metadata);
  }

  /** From now on the cron is as `record` says; null `previous` makes it. Without a payload it keeps the one it has. */
  put(commit: Commit, record: CronRecord, previous: CronRecord | null, payload: JsonBytes | null = null): void {
    this.#crons.put(commit, record, previous);
    if (payload !== null) this.#crons.putPayload(commit, record.cronId, payload);
    this.#enter(record);
  }

  remove(commit: Commit, record: CronRecord): void {
    this.#crons.remove(commit, record);
    this.#leave(record.cronId);
  }

  /** Crons of an assistant or a thread go with it: call it where that one's removal is put into the commit. How many there were. */
  removeOf(commit: Commit, of: { assistantId: string } | { threadId: string }): number {
    const gone =
      'threadId' in of
        ? [...(this.#ofThread.get(of.threadId) ?? [])]
        : [...this.#entries.values()]
            .filter(({ assistantId }) => assistantId === of.assistantId)
            .map(({ cronId }) => cronId);
    for (const cronId of gone) {
      const record = this.#crons.get(SERVER_CALLER, cronId);
      if (record !== undefined) this.remove(commit, record);
    }
    return gone.length;
  }

  /** Resolves when the commit is on disk. */
  write(commit: Commit): Promise<void> {
    return this.#latest.write(commit);
  }

  /** The same of puts that are part of another commit, which is being written. */
  follow(commit: Commit, writing: Promise<void>): Promise<void> {
    return this.#latest.follow(commit, writing);
  }

  /** Crons whose slot has come, the longest waiting first. */
  *due(nowMs: number): Generator<string> {
    const slots = [...this.#slots.keys()].filter((slot) => slot <= nowMs).sort((a, b) => a - b);
    for (const slot of slots) yield* [...(this.#slots.get(slot) ?? [])];
  }

  /** The next slot of any cron; null when none is due ever. */
  nextSlot(): number | null {
    let next = Infinity;
    for (const slot of this.#slots.keys()) if (slot < next) next = slot;
    return next === Infinity ? null : next;
  }

  /** It is not due any more, until it is changed or the server starts again. */
  park(cronId: string): void {
    const entry = this.#entries.get(cronId);
    if (entry !== undefined) this.#unslot(entry);
  }

  #enter(record: CronRecord): void {
    const { cronId, assistantId, threadId, identity, enabled, createdAtMs, updatedAtMs, nextAtMs, endAtMs } = record;
    const before = this.#entries.get(cronId);
    if (before === undefined) this.#ofCaller.set(identity, this.countOf(identity) + 1);
    else {
      this.#unslot(before);
      if (before.threadId !== null) takeFrom(this.#ofThread, before.threadId, cronId);
    }
    if (threadId !== null) addTo(this.#ofThread, threadId, cronId);
    this.#entries.set(cronId, {
      cronId,
      assistantId,
      threadId,
      identity,
      enabled,
      createdAtMs,
      updatedAtMs,
      nextAtMs,
      endAtMs,
    });
    if (!enabled || nextAtMs === null) return;
    if (addTo(this.#slots, nextAtMs, cronId)) this.onSlot(nextAtMs);
  }

  #leave(cronId: string): void {
    const entry = this.#entries.get(cronId);
    if (entry === undefined) return;
    this.#unslot(entry);
    if (entry.threadId !== null) takeFrom(this.#ofThread, entry.threadId, cronId);
    this.#entries.delete(cronId);
    const left = this.countOf(entry.identity) - 1;
    if (left === 0) this.#ofCaller.delete(entry.identity);
    else this.#ofCaller.set(entry.identity, left);
  }

  #unslot({ cronId, nextAtMs }: CronEntry): void {
    if (nextAtMs !== null) takeFrom(this.#slots, nextAtMs, cronId);
  }
}

/** True when it is the first under this key. */
function addTo<K>(sets: Map<K, Set<string>>, key: K, id: string): boolean {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([id]));
  else set.add(id);
  return set === undefined;
}

function takeFrom<K>(sets: Map<K, Set<string>>, key: K, id: string): void {
  const set = sets.get(key);
  if (set?.delete(id) === true && set.size === 0) sets.delete(key);
}
