import { asText, type JsonBytes } from '../base/json/json.js';
import { LIMITS } from '../base/limits.js';
import { TimeSlots } from '../base/time-slots.js';
import { Commit, type Store } from './store.js';
import { unpackAttachments } from './evaluation/attachments.js';
import { blocksOf, unpackPosition } from './evaluation/blocks.js';
import { attachmentsOfRun, unpackRunHead } from '../wire/evaluation/evaluation-run.js';
import { unpackExample } from './evaluation/examples.js';
import { queueEntryKeys, queueEntryOf } from './evaluation/annotation-queues.js';
import { shareKeys, unpackShare } from './evaluation/shares.js';
import { listOfTrace } from './evaluation/evaluation-runs.js';
import { listOfTracePlace, tracePlaceKey } from './evaluation/trace-places.js';
import { unpackFeedback } from './evaluation/feedback.js';
import type { FeedbackTokens } from './evaluation/feedback-tokens.js';
import { keys, THREAD_CONTENT_PREFIXES, type Key } from './keys.js';
import type { Events } from './runs/events.js';
import { unpackRun } from './runs/runs.js';
import type { Items } from './items/items.js';
import type { Webhooks } from './webhooks.js';

/** Number of runs whose feedback and feedback tokens are removed in one slice. */
const RUNS_PER_SLICE = 100;

/**
 * Removes in the background what a commit made unreachable, and expired frames. Each removal is first recorded in the
 * store as a leftover, so that a restart continues where a crash interrupted it.
 */
export class Remover {
  readonly #store: Store;
  readonly #events: Events;
  readonly #items: Items;
  readonly #webhooks: Webhooks;
  readonly #feedbackTokens: FeedbackTokens;
  /** Removes records elsewhere that refer to deleted runs. Called again after a crash if it did not finish. */
  onRunsRemoved: (runIds: readonly string[]) => Promise<void> = () => Promise.resolve();
  /** Called when a removal fails. */
  onError: (error: unknown) => void = () => undefined;
  #removing: Promise<void> | null = null;
  /** Removals that a caller waits for. `close` waits for them too. */
  readonly #awaited = new Set<Promise<void>>();
  #wakeRequested = false;
  #sweeping: Promise<void> | null = null;
  #closed = false;
  /** Lets one slice at a time use the thread; other requests are handled between slices. */
  readonly #timeSlots = new TimeSlots(LIMITS.itemSliceMs);

  constructor(
    store: Store,
    {
      events,
      items,
      webhooks,
      feedbackTokens,
    }: { events: Events; items: Items; webhooks: Webhooks; feedbackTokens: FeedbackTokens },
  ) {
    this.#store = store;
    this.#events = events;
    this.#items = items;
    this.#webhooks = webhooks;
    this.#feedbackTokens = feedbackTokens;
  }

  /** Call this after a commit that recorded leftovers. */
  wake(): void {
    this.#wakeRequested = true;
    if (this.#closed || this.#removing) return;
    // Leftovers that could not be removed stay recorded and are found again at start-up.
    this.#removing = this.#work()
      .catch((error: unknown) => this.onError(error))
      .finally(() => {
        this.#removing = null;
      });
  }

  /** Resolves when this leftover is removed, for callers that must not respond earlier. */
  async removeNow(leftover: Key): Promise<void> {
    if (this.#closed) return;
    const removal = this.#removeLeftover(leftover);
    this.#awaited.add(removal);
    await removal.finally(() => this.#awaited.delete(removal));
  }

  /** Removes expired frames of resumable runs, webhook logs and feedback tokens. */
  async sweep(nowMs: number): Promise<void> {
    for (;;) {
      const commit = new Commit();
      for (const key of this.#webhooks.expired(nowMs, LIMITS.sliceRemovals)) commit.remove(key);
      for (const key of this.#feedbackTokens.expired(nowMs, LIMITS.sliceRemovals)) commit.remove(key);
      if (this.#closed || commit.operations.length === 0) break;
      await this.#store.write(commit);
    }
    for (const { runId, key } of [...this.#events.expired(nowMs)]) {
      if (this.#closed) return;
      await this.#removeInSlices(() => this.#keysUnder(keys.events(runId)), key);
    }
  }

  /** Removes expired items of long-term memory. */
  sweepItems(): Promise<void> {
    this.#sweeping ??= this.#sweepItems().finally(() => {
      this.#sweeping = null;
    });
    return this.#sweeping;
  }

  async #sweepItems(): Promise<void> {
    while (!this.#closed && (await this.#items.removeExpired()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#removing;
    await Promise.allSettled(this.#awaited);
    await this.#sweeping?.catch(() => undefined);
  }

  async #work(): Promise<void> {
    while (this.#wakeRequested && !this.#closed) {
      this.#wakeRequested = false;
      await this.#store.flushed();
      const waiting = [...this.#store.keys({ prefix: keys.leftovers() })].reverse();
      // Each removal waits for the disk. One at a time, leftovers would grow faster under load than they are removed.
      await Promise.all(
        Array.from({ length: LIMITS.leftoversConcurrentMax }, async () => {
          for (let key = waiting.pop(); key !== undefined && !this.#closed; key = waiting.pop())
            await this.#removeLeftover(key);
        }),
      );
    }
  }

  async #removeLeftover(key: Key): Promise<void> {
    const [, kind, id] = key as [string, string, string];
    await this.#notifyRunsRemoved(kind, id);
    if (this.#closed) return;
    await this.#removeInSlices(() => this.#leftoverKeys(kind, id), key);
  }

  /** Runs before the run records are removed, because they lead to what refers to them. */
  async #notifyRunsRemoved(kind: string, id: string): Promise<void> {
    if (kind === 'run') await this.#removeRunReferences([id]);
    if (kind !== 'thread' && kind !== 'assistant') return;
    const [prefix, at] = kind === 'thread' ? [keys.threadRuns(id), 3] : [keys.assistantRuns(id), 2];
    let runIds: string[] = [];
    for (const key of this.#store.keys({ prefix })) {
      runIds.push(key[at] as string);
      if (runIds.length < RUNS_PER_SLICE) continue;
      await this.#removeRunReferences(runIds);
      if (this.#closed) return;
      runIds = [];
    }
    if (runIds.length > 0) await this.#removeRunReferences(runIds);
  }

  async #removeRunReferences(runIds: readonly string[]): Promise<void> {
    const commit = new Commit();
    for (const runId of runIds) this.#feedbackTokens.removeOfRun(commit, runId);
    if (commit.operations.length > 0) await this.#store.write(commit);
    await this.onRunsRemoved(runIds);
  }

  /** Keys of a leftover in the order of removal: a record that leads to others comes after them. */
  #leftoverKeys(kind: string, id: string): Generator<Key> {
    switch (kind) {
      case 'thread':
        return this.#threadKeys(id);
      case 'examples':
        return this.#exampleListKeys(Number(id));
      case 'experiment':
        return this.#experimentKeys(Number(id));
      case 'attachments': {
        const [group, from] = id.split(':').map(Number) as [number, number];
        return this.#store.keys({ prefix: keys.attachmentGroup(group), start: keys.attachmentChunks(group, from) });
      }
      case 'assistant':
        return this.#assistantKeys(id);
      case 'queue':
        return this.#queueEntryKeys(keys.queueEntries(id), (key) => key[3] as string);
      case 'results':
        return this.#keysUnder(keys.experimentResults(id));
      case 'undo':
        return this.#keysUnder(keys.undos(id));
      default:
        return this.#keysUnder(keys.undos(id), keys.events(id), keys.runKwargs(id));
    }
  }

  /** A complete key is its own prefix, and the range from it includes it. */
  *#keysUnder(...prefixes: Key[]): Generator<Key> {
    for (const prefix of prefixes) yield* this.#store.keys({ prefix });
  }

  /** Index entries of a block's items, then the block: after a crash between them the block is found again. */
  *#exampleListKeys(list: number): Generator<Key> {
    for (const { first, items } of blocksOf(this.#store, 'E', list)) {
      for (const item of items) {
        if (item.byteLength === 0) continue;
        const { exampleId, versionUs, attachments } = unpackExample(item);
        yield* this.#attachmentKeys(attachments);
        if (this.#isInList(keys.example(exampleId, versionUs), list)) yield keys.example(exampleId, versionUs);
      }
      yield keys.block('E', list, first);
    }
  }

  *#experimentKeys(list: number): Generator<Key> {
    for (const { first, items } of blocksOf(this.#store, 'R', list)) {
      const stored = items.filter(({ byteLength }) => byteLength > 0);
      for (const item of stored) yield* this.#attachmentKeys(attachmentsOfRun(item));
      const runs = stored.map(unpackRunHead);
      const runIds = runs.map(({ runId }) => runId);
      for (const runId of this.#store.idsUnder(keys.queuesOfRuns(), runIds))
        yield* this.#queueEntryKeys(keys.queuesOfRun(runId), (_, value) => asText(value));
      for (const runId of this.#store.idsUnder(keys.evaluationRuns(), runIds))
        if (this.#isInList(keys.evaluationRun(runId), list)) yield keys.evaluationRun(runId);
      // Any run of a trace may have created the trace's entry.
      const traceIds = new Set(runs.map(({ traceId }) => traceId));
      const withEntry = this.#store.idsUnder(keys.traces(), traceIds);
      for (const traceId of traceIds) {
        if (withEntry.has(traceId) && listOfTrace(this.#store, traceId) === list) yield keys.trace(traceId);
        if (listOfTracePlace(this.#store, traceId) === list) yield tracePlaceKey(traceId);
      }
      yield keys.block('R', list, first);
    }
    // Not found by the runs: one that was shared may have got another trace since.
    const shared = [...this.#store.entries({ prefix: keys.shares('trace') })].map(([, value]) => unpackShare(value));
    for (const share of shared) if (share.generation === list) yield* shareKeys(share);
    for (const { first, items } of blocksOf(this.#store, 'F', list)) {
      for (const item of items) {
        if (item.byteLength === 0) continue;
        const { feedbackId, runId } = unpackFeedback(item);
        if (!this.#isInList(keys.feedback(feedbackId), list)) continue;
        yield keys.feedback(feedbackId);
        if (runId !== null) yield keys.runFeedback(runId, feedbackId);
      }
      yield keys.block('F', list, first);
    }
    yield* this.#store.keys({ prefix: keys.changes(list) });
    yield keys.listHead(list);
    yield keys.statistics(list);
  }

  /** Existing chunks of the attachments of an item. */
  *#attachmentKeys(stored: JsonBytes | null): Generator<Key> {
    for (const { group, at } of unpackAttachments(stored))
      yield* this.#store.keys({ prefix: keys.attachmentChunks(group, at) });
  }

  /** All keys of the queue entries that a range names. */
  *#queueEntryKeys(prefix: Key, entryIdOf: (key: Key, value: Uint8Array) => string): Generator<Key> {
    for (const [key, value] of this.#store.entries({ prefix })) {
      const entry = queueEntryOf(this.#store, entryIdOf(key, value));
      if (entry === undefined) yield key;
      else yield* queueEntryKeys(entry);
    }
  }

  /** A client may use an id of its own in several lists; then the index entry may belong to another list. */
  #isInList(key: Key, list: number): boolean {
    const place = this.#store.get(key);
    return place !== undefined && unpackPosition(place).list === list;
  }

  /** Versions of an assistant and the records of its runs, which have all ended. Thread content is not included. */
  *#assistantKeys(assistantId: string): Generator<Key> {
    for (const [key, value] of this.#store.entries({ prefix: keys.assistantRuns(assistantId) })) {
      const runId = key[2] as string;
      const uid = asText(value);
      const row = this.#store.get(keys.run(runId));
      if (row !== undefined) yield keys.threadRun(uid, unpackRun(row).createdAtMs, runId);
      yield* this.#store.keys({ prefix: keys.undos(runId) });
      yield* this.#store.keys({ prefix: keys.events(runId) });
      yield keys.runKwargs(runId);
      yield keys.run(runId);
      // Last, because the run's other records are found through it.
      yield key;
    }
    yield* this.#store.keys({ prefix: keys.assistantVersions(assistantId) });
  }

  /** Records of a removed thread's runs, then the content of the thread itself. */
  *#threadKeys(uid: string): Generator<Key> {
    for (const key of this.#store.keys({ prefix: keys.threadRuns(uid) })) {
      const runId = key[3] as string;
      const row = this.#store.get(keys.run(runId));
      yield* this.#keysUnder(keys.undos(runId), keys.events(runId), keys.runKwargs(runId), keys.activeRun(runId));
      if (row !== undefined) yield keys.assistantRun(unpackRun(row).assistantId, runId);
      // A webhook still in the outbox is removed after its delivery, without values because those are removed here.
      yield keys.webhookLog(runId);
      yield keys.run(runId);
      // Last, because the run's other records are found through it.
      yield key;
    }
    yield* this.#keysUnder(...THREAD_CONTENT_PREFIXES.map((part): Key => [part, uid]));
  }

  /**
   * Removes what `find` returns, slice by slice, and `named` (the key of the leftover) with the last slice. Each slice
   * calls `find` anew, because an lmdb range without a snapshot skips keys once its current key is removed (3.5.6).
   * Removed keys must therefore not be found again.
   */
  async #removeInSlices(find: () => Generator<Key>, named: Key): Promise<void> {
    for (;;) {
      await this.#timeSlots.next();
      if (this.#closed) return;
      const commit = new Commit();
      for (const key of find()) {
        commit.remove(key);
        if (commit.operations.length >= LIMITS.sliceRemovals) break;
      }
      const isLast = commit.operations.length < LIMITS.sliceRemovals;
      if (isLast) commit.remove(named);
      await this.#store.write(commit);
      if (isLast) return;
    }
  }
}
