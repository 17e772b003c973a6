import { SERVER_CALLER, type Caller } from '../../domain/caller.js';
import type { JsonBytes, JsonObject } from '../../base/json/json.js';
import { Crons, type CronRecord } from '../../store/crons.js';
import type { Commit, Store } from '../../store/store.js';
import { ReadYourWrites } from '../../store/read-your-writes.js';

/** The fields of a cron that are kept in memory: those for searching, sorting and scheduling. */
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
 * All crons, and an index by due time. Changes are decided on this table and on the store with its pending
 * writes, within one turn of the event loop. A slot is therefore claimed only once, even if a firing and a
 * change coincide.
 */
export class CronTable {
  readonly #latest: ReadYourWrites;
  readonly #crons: Crons;
  readonly #stored: Crons;
  /** In creation order. */
  readonly #entries = new Map<string, CronEntry>();
  /** Cron ids by slot. Slots are whole minutes, so there are few. */
  readonly #slots = new Map<number, Set<string>>();
  /** Cron ids by thread. Deleting a thread deletes its crons, and threads are deleted by the thousand. */
  readonly #idsByThread = new Map<string, Set<string>>();
  readonly #countByCaller = new Map<string, number>();
  /** Called for a slot time that had no crons before. */
  onNewSlot: (atMs: number) => void = () => undefined;

  constructor(store: Store) {
    this.#latest = new ReadYourWrites(store);
    this.#crons = new Crons(this.#latest, store);
    this.#stored = new Crons(store, store);
  }

  /** Loads all stored crons at startup. */
  load(): void {
    for (const record of this.#crons.all()) this.#index(record);
  }

  get size(): number {
    return this.#entries.size;
  }

  countOfCaller(identity: string): number {
    return this.#countByCaller.get(identity) ?? 0;
  }

  /** In creation order. */
  entries(): Iterable<CronEntry> {
    return this.#entries.values();
  }

  /** The cron as stored on disk, for reading. Undefined if the caller sees none with this id. */
  find(caller: Caller, cronId: string): CronRecord | undefined {
    return this.#stored.get(caller, cronId);
  }

  payload(caller: Caller, cronId: string): JsonBytes {
    return this.#stored.payload(caller, cronId);
  }

  /** The cron including pending writes, for changing or firing it. Undefined as in `find`. */
  current(caller: Caller, cronId: string): CronRecord | undefined {
    return this.#entries.has(cronId) ? this.#crons.get(caller, cronId) : undefined;
  }

  currentPayload(caller: Caller, cronId: string): JsonBytes {
    return this.#crons.payload(caller, cronId);
  }

  candidates(caller: Caller, metadata: JsonObject): ReadonlySet<string> | null {
    return this.#crons.candidateIds(caller, metadata);
  }

  /** Creates a cron (`previous` is null) or replaces it. Without a payload, the existing one stays. */
  put(commit: Commit, record: CronRecord, previous: CronRecord | null, payload: JsonBytes | null = null): void {
    this.#crons.put(commit, record, previous);
    if (payload !== null) this.#crons.putPayload(commit, record.cronId, payload);
    this.#index(record);
  }

  remove(commit: Commit, record: CronRecord): void {
    this.#crons.remove(commit, record);
    this.#unindex(record.cronId);
  }

  /**
   * Deletes the crons of an assistant or thread, as part of the commit that deletes the owner. Returns their
   * number.
   */
  removeAllOf(commit: Commit, owner: { assistantId: string } | { threadId: string }): number {
    const cronIds =
      'threadId' in owner
        ? [...(this.#idsByThread.get(owner.threadId) ?? [])]
        : [...this.#entries.values()]
            .filter(({ assistantId }) => assistantId === owner.assistantId)
            .map(({ cronId }) => cronId);
    for (const cronId of cronIds) {
      const record = this.#crons.get(SERVER_CALLER, cronId);
      if (record !== undefined) this.remove(commit, record);
    }
    return cronIds.length;
  }

  /** Resolves when the commit is on disk. */
  write(commit: Commit): Promise<void> {
    return this.#latest.write(commit);
  }

  /** Like `write`, for puts that are part of another commit, which is already being written. */
  trackWrite(commit: Commit, writing: Promise<void>): Promise<void> {
    return this.#latest.track(commit, writing);
  }

  /** Due crons, ordered by slot. */
  *due(nowMs: number): Generator<string> {
    const slots = [...this.#slots.keys()].filter((slot) => slot <= nowMs).sort((a, b) => a - b);
    for (const slot of slots) yield* [...(this.#slots.get(slot) ?? [])];
  }

  /** The next slot of any cron. Null if there is none. */
  nextSlot(): number | null {
    let next = Infinity;
    for (const slot of this.#slots.keys()) if (slot < next) next = slot;
    return next === Infinity ? null : next;
  }

  /** Stops firing this cron until it is changed or the server restarts. */
  suspend(cronId: string): void {
    const entry = this.#entries.get(cronId);
    if (entry !== undefined) this.#removeSlot(entry);
  }

  #index(record: CronRecord): void {
    const { cronId, assistantId, threadId, identity, enabled, createdAtMs, updatedAtMs, nextAtMs, endAtMs } = record;
    const before = this.#entries.get(cronId);
    if (before === undefined) this.#countByCaller.set(identity, this.countOfCaller(identity) + 1);
    else {
      this.#removeSlot(before);
      if (before.threadId !== null) removeFrom(this.#idsByThread, before.threadId, cronId);
    }
    if (threadId !== null) addTo(this.#idsByThread, threadId, cronId);
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
    if (addTo(this.#slots, nextAtMs, cronId)) this.onNewSlot(nextAtMs);
  }

  #unindex(cronId: string): void {
    const entry = this.#entries.get(cronId);
    if (entry === undefined) return;
    this.#removeSlot(entry);
    if (entry.threadId !== null) removeFrom(this.#idsByThread, entry.threadId, cronId);
    this.#entries.delete(cronId);
    const left = this.countOfCaller(entry.identity) - 1;
    if (left === 0) this.#countByCaller.delete(entry.identity);
    else this.#countByCaller.set(entry.identity, left);
  }

  #removeSlot({ cronId, nextAtMs }: CronEntry): void {
    if (nextAtMs !== null) removeFrom(this.#slots, nextAtMs, cronId);
  }
}

/** Returns true if the key had no ids before. */
function addTo<K>(sets: Map<K, Set<string>>, key: K, id: string): boolean {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([id]));
  else set.add(id);
  return set === undefined;
}

function removeFrom<K>(sets: Map<K, Set<string>>, key: K, id: string): void {
  const set = sets.get(key);
  if (set?.delete(id) === true && set.size === 0) sets.delete(key);
}
