import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { WorkerPool } from '../worker-pool.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { userCodeEnv } from '../../domain/secret-variables.js';
import type { LoadResult, CallTask, FromCallThread } from '../../wire/user-code/calls.js';
import type { ThreadMetrics } from '../../wire/thread-metrics.js';
import { Heartbeat, Watchdog } from '../graphs/watchdog.js';
import { openCodeLog } from './code-log-port.js';

interface Call {
  serial: number;
}

/** How to run the threads of a pool, and which errors its callers get. */
export interface CallPoolOptions<A extends Call, D> {
  /** Path of the entry file of its threads. */
  file: string;
  data: D;
  threads: number;
  heapMb: number;
  /** A thread whose event loop is blocked for this long is ended. */
  silentMs: number;
  /** How long a call may take. */
  callTimeoutMs(call: A): number;
  /**
   * How long a call may wait for a ready thread, which then does not count toward its timeout. Null: the wait
   * counts toward it.
   */
  queueTimeoutMs: number | null;
  /** Maximum number of running and waiting calls. Further calls are refused. */
  callsMax: number;
  /** Threads start with the first call and end after this time without one. Null: they always run. */
  idleTimeoutMs: number | null;
  /** Name for the log: `a thread of the auth handler was lost`. */
  name: string;
  /** Describes a call for the log. */
  describe(call: A): string;
  errors: {
    overloaded(): Error;
    silent(waitedMs: number): Error;
    /** For the call whose code was running when the thread ended. */
    ended(reason: string): Error;
    /** For a call that was lost with two threads, where the cause is unknown. */
    endedTwice(reason: string): Error;
  };
}

/** A call that waits for its reply. */
interface PendingCall<A, R> {
  call: A;
  text: string;
  resolve: (reply: R) => void;
  reject: (error: Error) => void;
  /** When the call was made. If the wait for a thread does not count: when a thread got it. */
  sinceMs: number;
  attempts: number;
  /** The worker's end of the port, until it is sent to a thread. */
  port: MessagePort | null;
}

interface CallThread<A, R> {
  readonly piscina: WorkerPool<CallTask, void>;
  readonly port: MessagePort;
  readonly heartbeat: Heartbeat;
  readonly currentCall: Int32Array;
  readonly pending: Map<number, PendingCall<A, R>>;
  ready: boolean;
  lost: boolean;
  readonly loaded: Promise<LoadResult>;
}

/** Loaded threads with new code or data, not yet in use. */
export interface PreparedThreads {
  report: LoadResult;
  activate(): Promise<void>;
  discard(): Promise<void>;
}

/** A thread may be lost by chance. Losing a second one means that this call is the cause. */
const ATTEMPTS_MAX = 2;

/**
 * Threads that answer calls with user code. A blocked thread is ended. Its calls are retried, except the one
 * whose code was running. Code that never answers fails only its own call.
 */
export class CallPool<A extends Call, R extends Call, D extends { env: Record<string, string> }> {
  readonly #options: Omit<CallPoolOptions<A, D>, 'data'>;
  #data: D;
  readonly #log: Logger;
  #threads: CallThread<A, R>[] = [];
  readonly #waiting: PendingCall<A, R>[] = [];
  readonly #watchdog: Watchdog<CallThread<A, R>>;
  #serial = 0;
  /** Number of open ports. A thread with open ports is not idle. */
  #openPorts = 0;
  #usedAtMs = performance.now();
  #closed = false;

  constructor({ data, ...options }: CallPoolOptions<A, D>, log: Logger) {
    this.#options = options;
    this.#data = data;
    this.#log = log;
    this.#watchdog = new Watchdog({
      workers: () => this.#threads,
      watchdogMs: options.silentMs,
      end: (thread, silentForMs) =>
        this.#onThreadLost(thread, `its event loop was blocked for ${Math.round(silentForMs)} ms`),
      tick: () => this.#tick(),
    });
    if (options.idleTimeoutMs === null) this.#use(this.#openAll(data));
  }

  /** Number of calls without a reply. */
  get pendingCalls(): number {
    return this.#threads.reduce((sum, { pending }) => sum + pending.size, this.#waiting.length);
  }

  /** Number of open ports. */
  get openPorts(): number {
    return this.#openPorts;
  }

  get metrics(): ThreadMetrics[] {
    return this.#threads.map(({ heartbeat }) => heartbeat.metrics);
  }

  /** Resolves when every thread has loaded, with the first failure if there is one. */
  async load(): Promise<LoadResult> {
    return firstFailure(this.#threads);
  }

  /** Loads threads with new data. `activate` switches new calls to them, `discard` ends them. */
  async prepare(data: D): Promise<PreparedThreads> {
    const next = this.#openAll(data);
    return {
      report: await firstFailure(next),
      activate: () => this.#replaceThreads(next, data),
      discard: async () => {
        await Promise.all(next.map(close));
      },
    };
  }

  /** Uses new data for later calls. The current threads end, and new ones start with the next call. */
  async restartWith(data: D): Promise<void> {
    await this.#replaceThreads([], data);
  }

  /** Throws the errors of `errors`. */
  call(call: Omit<A, 'serial'>): Promise<R> {
    return this.#enqueue(call, null);
  }

  /**
   * Like `call`, with a port to the code, for exchanges of more than one reply. The port outlives the reply:
   * the caller closes it, and it closes when the thread ends. A call with a port is never retried.
   */
  callWithPort(call: Omit<A, 'serial'>): { reply: Promise<R>; port: MessagePort } {
    const { port1, port2 } = new MessageChannel();
    this.#openPorts += 1;
    port1.once('close', () => {
      this.#openPorts -= 1;
    });
    const reply = this.#enqueue(call, port2);
    reply.catch(() => port2.close());
    return { reply, port: port1 };
  }

  #enqueue(call: Omit<A, 'serial'>, port: MessagePort | null): Promise<R> {
    if (this.#closed) return Promise.reject(fail('SHUTTING_DOWN', {}));
    if (this.pendingCalls >= this.#options.callsMax) return Promise.reject(this.#options.errors.overloaded());
    this.#serial = (this.#serial % 0x7fff_ffff) + 1;
    const numbered = { serial: this.#serial, ...call } as A;
    return new Promise((resolve, reject) => {
      this.#dispatch({
        call: numbered,
        text: JSON.stringify(numbered),
        resolve,
        reject,
        sinceMs: performance.now(),
        attempts: 0,
        port,
      });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watchdog.stop();
    for (const thread of this.#threads)
      for (const { reject } of thread.pending.values()) reject(fail('SHUTTING_DOWN', {}));
    for (const { reject } of this.#waiting) reject(fail('SHUTTING_DOWN', {}));
    await Promise.all(this.#threads.map(close));
  }

  /** Most servers never need the threads of some pools, so nothing watches a pool without threads. */
  #use(threads: CallThread<A, R>[]): void {
    this.#threads = threads;
    if (threads.length > 0 && !this.#closed) this.#watchdog.start();
    else this.#watchdog.stop();
  }

  #openAll(data: D): CallThread<A, R>[] {
    return Array.from({ length: this.#options.threads }, () => this.#open(data));
  }

  #open(data: D): CallThread<A, R> {
    const { port1, port2 } = new MessageChannel();
    const heartbeat = new Heartbeat();
    const turn = new SharedArrayBuffer(4);
    const piscina = new WorkerPool<CallTask, void>({
      filename: this.#options.file,
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Infinity,
      // Synchronous atomics would block the thread, which replies through its port.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb },
      env: userCodeEnv(data.env),
      workerData: data,
    });
    let report!: (one: LoadResult) => void;
    const thread: CallThread<A, R> = {
      piscina,
      port: port1,
      heartbeat,
      currentCall: new Int32Array(turn),
      pending: new Map(),
      ready: false,
      lost: false,
      loaded: new Promise((resolve) => {
        report = resolve;
      }),
    };
    port1.on('message', (message: FromCallThread) => {
      if ('report' in message) {
        thread.ready = message.report.ok;
        report(message.report);
        if (thread.ready) this.#dispatchWaiting();
        else if (!message.report.ok) this.#onThreadLost(thread, message.report.reason);
      } else for (const text of message.answers) this.#onReply(thread, JSON.parse(text) as R);
    });
    piscina.on('error', (error: Error) => this.#onThreadLost(thread, error.message));
    const codeLog = openCodeLog(this.#log);
    const task = { port: port2, log: codeLog, beat: heartbeat.shared, turn };
    piscina.run(task, { transferList: [port2, codeLog] }).then(
      () => undefined,
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        report({ ok: false, reason, stack: error instanceof Error ? (error.stack ?? '') : '' });
        this.#onThreadLost(thread, reason);
      },
    );
    return thread;
  }

  async #replaceThreads(next: CallThread<A, R>[], data: D): Promise<void> {
    const replaced = this.#threads;
    this.#use(next);
    this.#data = data;
    for (const thread of replaced) {
      // Its calls are retried: replies of replaced code no longer count.
      thread.lost = true;
      this.#retry([...thread.pending.values()].map(withoutAttempt), 'its code was replaced');
      await close(thread);
    }
  }

  #onReply(thread: CallThread<A, R>, reply: R): void {
    const pending = thread.pending.get(reply.serial);
    thread.pending.delete(reply.serial);
    pending?.resolve(reply);
  }

  /** Sends the call to the thread with the fewest calls. If no thread is ready, the call waits. */
  #dispatch(pending: PendingCall<A, R>): void {
    this.#usedAtMs = performance.now();
    if (this.#threads.length === 0) this.#use(this.#openAll(this.#data));
    let best: CallThread<A, R> | null = null;
    for (const thread of this.#threads) {
      if (!thread.ready || thread.lost || thread.heartbeat.isSilent) continue;
      if (best === null || thread.pending.size < best.pending.size) best = thread;
    }
    if (best === null) {
      this.#waiting.push(pending);
      return;
    }
    pending.attempts += 1;
    if (this.#options.queueTimeoutMs !== null) pending.sinceMs = performance.now();
    best.pending.set(pending.call.serial, pending);
    if (pending.port === null) best.port.postMessage(pending.text);
    else best.port.postMessage({ text: pending.text, port: pending.port }, [pending.port]);
  }

  #dispatchWaiting(): void {
    for (const pending of this.#waiting.splice(0)) this.#dispatch(pending);
  }

  #retry(all: readonly PendingCall<A, R>[], reason: string): void {
    for (const pending of all) {
      if (pending.port !== null) pending.reject(this.#options.errors.ended(reason));
      else if (pending.attempts < ATTEMPTS_MAX) this.#dispatch(pending);
      else pending.reject(this.#options.errors.endedTwice(reason));
    }
  }

  #onThreadLost(thread: CallThread<A, R>, reason: string): void {
    if (thread.lost || this.#closed) return;
    thread.lost = true;
    const culprit = thread.pending.get(Atomics.load(thread.currentCall, 0));
    this.#log.error(
      {
        reason,
        requests: thread.pending.size,
        during: culprit === undefined ? undefined : this.#options.describe(culprit.call),
      },
      `a thread of ${this.#options.name} was lost`,
    );
    const others = [...thread.pending.values()].filter((pending) => pending !== culprit);
    thread.pending.clear();
    culprit?.reject(this.#options.errors.ended(reason));
    close(thread).catch(() => undefined);
    if (thread.ready) this.#replace(thread);
    // Without this delay, a thread that cannot load would be restarted in a tight loop.
    else setTimeout(() => this.#replace(thread), LIMITS.workerReopenMs).unref();
    this.#retry(culprit === undefined ? others : others.map(withoutAttempt), reason);
  }

  #replace(thread: CallThread<A, R>): void {
    const at = this.#threads.indexOf(thread);
    if (at !== -1 && !this.#closed) this.#threads[at] = this.#open(this.#data);
  }

  #tick(): void {
    const { idleTimeoutMs, errors } = this.#options;
    const now = performance.now();
    for (const thread of this.#threads) {
      for (const [serial, pending] of thread.pending) {
        const timeoutMs = this.#options.callTimeoutMs(pending.call);
        if (pending.sinceMs > now - timeoutMs) continue;
        thread.pending.delete(serial);
        pending.reject(errors.silent(timeoutMs));
      }
    }
    for (const pending of this.#waiting.splice(0)) {
      const waitMs = this.#options.queueTimeoutMs ?? this.#options.callTimeoutMs(pending.call);
      if (pending.sinceMs > now - waitMs) this.#dispatch(pending);
      else pending.reject(errors.silent(waitMs));
    }
    const isIdle =
      idleTimeoutMs !== null &&
      now - this.#usedAtMs > idleTimeoutMs &&
      this.#openPorts === 0 &&
      this.#waiting.length === 0 &&
      this.#threads.every(({ pending }) => pending.size === 0);
    if (!isIdle) return;
    for (const thread of this.#threads) {
      thread.lost = true;
      close(thread).catch(() => undefined);
    }
    this.#use([]);
  }
}

/** Does not count the lost thread as an attempt, because this call did not cause the loss. */
function withoutAttempt<H extends { attempts: number }>(pending: H): H {
  pending.attempts -= 1;
  return pending;
}

async function firstFailure(threads: readonly { loaded: Promise<LoadResult> }[]): Promise<LoadResult> {
  const reports = await Promise.all(threads.map(({ loaded }) => loaded));
  return reports.find(({ ok }) => !ok) ?? { ok: true };
}

async function close({ port, piscina }: { port: MessagePort; piscina: WorkerPool<CallTask, void> }): Promise<void> {
  port.close();
  await piscina.destroy();
}
