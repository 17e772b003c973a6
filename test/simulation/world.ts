import { LOCAL_CALLER } from '../../src/domain/caller.js';
import { silentLog } from '../../src/base/log/log.js';
import type { RunCreate } from '../../schemas/compiled/types.js';
import { cancelRun, type CancelAction } from '../../src/services/runs/cancel-run.js';
import type { Services } from '../../src/services/context.js';
import { CronTable } from '../../src/services/crons/cron-table.js';
import { FeedbackUrls } from '../../src/services/evaluation/feedback-urls.js';
import type { LiveRun } from '../../src/services/runs/live.js';
import { Quotas } from '../../src/services/access/quotas.js';
import { recoverRuns } from '../../src/services/runs/recover.js';
import { RunCounts } from '../../src/services/runs/run-counts.js';
import { Scheduler } from '../../src/services/runs/scheduler.js';
import { NO_REQUEST } from '../../src/services/runs/request-context.js';
import { startRun } from '../../src/services/runs/start-run.js';
import { syncSystemAssistants } from '../../src/services/assistants/system-assistants.js';
import { ThreadEvents } from '../../src/services/threads/thread-events.js';
import { ThreadTable } from '../../src/services/threads/thread-table.js';
import { TimeSlicer } from '../../src/services/time-slicer.js';
import { Webhooks } from '../../src/services/webhooks/webhooks.js';
import { appliedOperation, readApplied } from '../../src/store/cluster/applied.js';
import { operationsOf } from '../../src/store/cluster/entry.js';
import { LogJournal } from '../../src/store/cluster/log-journal.js';
import { Store } from '../../src/store/store.js';
import { storesFor } from '../../src/store/stores.js';
import { pack } from '../../src/wire/codec.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { SimulatedDatabase, SimulatedDisk } from './database.js';
import { SimulatedLog } from './log.js';
import { SimulatedPool } from './pool.js';
import type { Random } from '../helpers/random.js';
import type { Script, SimulatedRun } from './worker.js';

export const GRAPH = 'simulated';

const GARBAGE: readonly Uint8Array[] = [
  new Uint8Array(),
  new Uint8Array([0xc1]),
  new Uint8Array(100).fill(0xff),
  pack({}),
  pack([null]),
  pack([{ type: 'nothing' }]),
  pack([{ type: 'checkpoint.put' }]),
  pack([{ type: 'checkpoint.get', requestId: 'x' }]),
];

/** The disk of the simulation has no files beside the database. */
const NO_TAIL = { append: () => Promise.resolve(), close: () => Promise.resolve() };

export interface RunOptions {
  strategy?: 'enqueue' | 'reject' | 'interrupt' | 'rollback';
  delayS?: number;
  durability?: 'sync' | 'async';
  resumable?: boolean;
  /** Instead of an input. */
  resume?: string;
}

/**
 * A server of the real scheduler, store stores and streams over a simulated disk, simulated workers, a clock and ids of
 * its own: nothing happens but by `step`, in an order that the seed gives. It can die at any moment and start again
 * over the same disk.
 */
export class World {
  readonly random: Random;
  readonly disk = new SimulatedDisk();
  /** Of a cluster, in which each life is a node that takes over; null for a server by itself. */
  readonly #log: SimulatedLog | null;
  readonly clock = new FakeClock('2026-01-01T00:00:00Z');
  /** What must never be and was seen while it went on. */
  readonly violations: string[] = [];
  /** What happened, for whoever looks into a failure. */
  readonly history: string[] = [];
  /** Runs whose worker said what is no message. */
  readonly garbled = new Set<string>();
  readonly #folder: string;
  #ids = 0;
  /** How far ahead the clock of the workers runs: their checkpoint ids begin with it. */
  #skew = 0;
  #database!: SimulatedDatabase;
  services!: Services;
  pool!: SimulatedPool;
  /** How often it has started. */
  lives = 0;

  constructor(random: Random, folder: string, { cluster = false }: { cluster?: boolean } = {}) {
    this.random = random;
    this.#log = cluster ? new SimulatedLog() : null;
    this.#folder = folder;
  }

  /** Of the form and the order of ids that rise with time. */
  readonly nextId = (): string => {
    this.#ids += 1;
    const digits = this.#ids.toString(16).padStart(12, '0');
    return `00000000-0000-7000-8000-${digits}`;
  };

  /** As LangGraph makes them: from a clock that may have gone back. */
  readonly nextCheckpointId = (): string => this.nextId().replace(/^0{8}/, String(this.#skew).padStart(8, '0'));

  /** Somebody sets the wall clock; timers go on as they are. */
  async setClock(): Promise<void> {
    this.#skew = this.random.below(4);
    this.history.push(`the clock is ${this.#skew} ahead`);
    this.clock.jump(Date.parse('2026-01-01T00:00:00Z') + this.#skew * 86_400_000);
    await this.settle();
  }

  /** Starts over what is on the disk; a dead one is forgotten. */
  async start(): Promise<void> {
    this.lives += 1;
    const life = this.lives;
    this.#database = new SimulatedDatabase(this.disk);
    const stores = storesFor(this.#openStore(), 'a key of the simulation');
    const log = silentLog();
    const { clock } = this;
    const threads = new ThreadTable(stores);
    const quotas = new Quotas({ requestsPerSecond: null, runningRuns: null, queuedRuns: null }, () => clock.nowMs());
    const threadEvents = new ThreadEvents(stores, threads, log);
    const webhooks = new Webhooks({
      stores,
      clock,
      log,
      enabled: false,
      rules: {} as never,
      retryMs: [],
      random: () => this.random.next(),
      send: () => Promise.reject(new Error('nothing is sent')),
    });
    const counts = new RunCounts(new Set([GRAPH]));
    const feedback = new FeedbackUrls(stores.feedbackTokens, clock, 'http://simulated');
    const pool = new SimulatedPool(2, this.nextCheckpointId, (run) => {
      // A timer of an earlier life may still call.
      if (life === this.lives) this.#started(run);
    });
    this.pool = pool;
    const scheduler = new Scheduler({
      code: null,
      stores,
      threads,
      pool,
      feedback,
      clock,
      log,
      runTimeoutMs: 3_600_000,
      resumableTtlMs: 1e12,
      quotas,
      webhooks,
      threadEvents,
      counts,
      spans: null,
      traces: () => null,
      onThreadChanged: null,
    });
    const services: Partial<Services> = {
      stores,
      threads,
      scheduler,
      threadEvents,
      stateBudgets: null,
      quotas,
      webhooks,
      feedback,
      counts,
      clock,
      log,
      timeSlicer: new TimeSlicer(),
      crons: new CronTable(stores.store),
      ids: { next: this.nextId },
      spans: null,
      defaultTtl: null,
      graphIds: new Set([GRAPH]),
      library: { version: null },
      disabled: new Set(),
      configurableHeaders: null,
    };
    this.services = services as Services;
    await this.#through(syncSystemAssistants(stores, clock, [{ graphId: GRAPH, description: null }], new Map()));
    await this.#through(recoverRuns(this.services));
    pool.start({
      onCapacity: () => scheduler.dispatchWaiting(),
      onWorkerLost: (worker, runIds, loss) => scheduler.onWorkerLost(worker, runIds, loss),
    });
    await this.settle();
  }

  #openStore(): Store {
    const db = this.#database.asLmdb;
    if (this.#log === null) return Store.forDatabase(db, this.#folder);
    const { epoch, log } = this.#log.takeOver();
    let position = readApplied((key) => db.get(key));
    for (const entry of this.#log.entries.slice(position.index)) {
      for (const [key, record] of [...operationsOf(entry, position), appliedOperation(entry)])
        this.disk.set(key, record === null ? null : Buffer.from(record));
      position = entry;
    }
    return Store.forReplica(db, this.#folder, {
      lock: { release: () => undefined },
      file: null,
      journal: new LogJournal(db, {
        log,
        tail: NO_TAIL,
        epoch,
        position,
        onFenced: () => undefined,
        onDiverged: () => undefined,
      }),
      encryptionKey: null,
    });
  }

  /** The process is gone this moment. */
  async crash(): Promise<void> {
    this.history.push('crash');
    this.#database.die();
    if (this.#log !== null) {
      // Some appends take effect, and the server never learns of it.
      while (this.#log.pending > 0 && this.random.chance(0.5)) this.#log.flush();
      this.#log.die();
      // The node that takes over has no copy yet.
      if (this.random.chance(0.3)) this.disk.entries.length = 0;
    }
    for (const run of this.pool.runs) run.port.removed();
    await this.start();
  }

  /**
   * The disk refuses what waits to be written: false when nothing does. The server takes nothing more until it starts
   * again.
   */
  async rejectCommits(): Promise<boolean> {
    if (this.#log !== null) return this.#fence();
    if (this.#database.pending === 0) return false;
    this.history.push('the disk refuses');
    this.#database.reject();
    await this.settle();
    return true;
  }

  async #fence(): Promise<boolean> {
    if (this.#log!.pending === 0) return false;
    this.history.push('another node takes over');
    this.#log!.fence();
    await this.settle();
    return true;
  }

  /** Commits that wait to be written. */
  get pendingCommits(): number {
    return this.#database.pending;
  }

  /** Writes the oldest of them. */
  async writeCommit(): Promise<void> {
    this.#database.flush();
    await this.settle();
  }

  /** Lets everything happen that needs nothing from outside. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    this.#database.nextTurn();
  }

  /**
   * One thing that the machine does: false when there is nothing left for it to do. `named`: only this run's worker
   * goes on.
   */
  async step(going: (run: SimulatedRun) => boolean = () => true): Promise<boolean> {
    const { pool } = this;
    const choices: (() => void)[] = [];
    if (this.#database.pending > 0) choices.push(() => this.#database.flush());
    if (this.#log !== null && this.#log.pending > 0) choices.push(() => this.#log!.flush());
    for (const run of pool.runs) {
      if (run.port.toFront.length > 0) choices.push(() => run.port.deliver());
      if (run.port.toWorker.length > 0) choices.push(() => run.hear());
      if (run.canGoOn && run.port.toWorker.length === 0 && going(run)) choices.push(() => run.go());
    }
    if (choices.length === 0) return false;
    this.random.pick(choices)();
    pool.clear();
    await this.settle();
    return true;
  }

  /** Until the machine has nothing left to do, and the server no turn of its own that would give it something. */
  async rest(going?: (run: SimulatedRun) => boolean): Promise<void> {
    let steps = 0;
    for (let idle = 0; idle < 10; idle += 1) {
      for (; await this.step(going); steps += 1) {
        if (steps > 20_000) throw new Error('the machine does not come to rest');
        idle = 0;
      }
      await this.settle();
    }
  }

  /** A worker ends with all that it does; false when none does anything. */
  async loseWorker(): Promise<boolean> {
    const { busy } = this.pool;
    if (busy.length === 0) return false;
    this.history.push('a worker is lost');
    this.pool.lose(this.random.pick(busy));
    await this.settle();
    return true;
  }

  /** Something that is no message comes out of a worker. */
  async garble(): Promise<void> {
    const open = this.pool.runs.filter(({ port }) => port.open);
    if (open.length === 0) return;
    const run = this.random.pick(open);
    this.history.push('garbage');
    this.garbled.add(run.job.runId);
    run.port.toFront.push(this.random.pick(GARBAGE));
    await this.settle();
  }

  async pass(ms: number): Promise<void> {
    this.clock.pass(ms);
    await this.settle();
  }

  /** As a request does it. Throws what that would be refused with. */
  startRun(
    threadId: string,
    script: Script | null,
    { strategy = 'enqueue', delayS = 0, durability = 'async', resumable = false, resume }: RunOptions = {},
  ): LiveRun {
    const body = {
      assistant_id: GRAPH,
      if_not_exists: 'create',
      multitask_strategy: strategy,
      after_seconds: delayS,
      durability,
      stream_resumable: resumable,
      ...(resume === undefined ? { input: script } : { command: { resume } }),
    };
    return startRun(this.services, threadId, {
      caller: LOCAL_CALLER,
      body: body as unknown as RunCreate,
      purpose: 'background',
      context: NO_REQUEST,
    });
  }

  cancel(run: LiveRun, action: CancelAction): Promise<void> {
    return cancelRun(this.services, run, action, 'the simulation');
  }

  /** Of a start-up: the disk writes as it is asked to. */
  async #through<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const watched = work.finally(() => over.abort());
    while (!over.signal.aborted) {
      await this.settle();
      this.#log?.flush();
      this.#database.flush();
    }
    return watched;
  }

  #started(run: SimulatedRun): void {
    const { threadId, runId, lease } = run.job;
    // P5: another one that still may write.
    const other = this.pool.runs.find((one) => one !== run && one.job.threadId === threadId && one.port.open);
    if (other !== undefined)
      this.violations.push(`run ${runId} (lease ${lease}) of thread ${threadId} began while ${other.job.runId} had it`);
  }
}
