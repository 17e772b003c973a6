import { SERVER_CALLER } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { isObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { expiryOf, type ThreadTtl } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';
import { KeepLastSweep } from './keep-last-sweep.js';
import { pruneCheckpoints } from './prune-threads.js';
import { deleteThread } from './threads.js';

/** `checkpointer` of langgraph.json. */
export interface TtlOptions {
  /** TTL of threads created without one. Null: they never expire. */
  defaultTtl: ThreadTtl | null;
  sweepMs: number;
  /** Maximum number of threads per sweep. */
  sweepMax: number;
  /**
   * `checkpointer.keep_last`: newest checkpoints to keep per thread, unless the thread has its own number.
   * Null: all.
   */
  keepLast: number | null;
}

/** Parses the `ttl` of a request: minutes, or minutes with a strategy. Undefined if it is missing. */
export function parseTtl(sent: unknown): ThreadTtl | null | undefined {
  if (sent === undefined) return undefined;
  if (sent === null) return null;
  const { ttl, strategy } = isObject(sent) ? sent : { ttl: sent, strategy: null };
  if (typeof ttl !== 'number' || ttl > LIMITS.ttlMinutesMax)
    throw fail('INVALID_REQUEST', { problems: `body.ttl: must not be more than ${LIMITS.ttlMinutesMax} minutes` });
  return { minutes: ttl, strategy: strategy === 'keep_latest' ? 'keep_latest' : 'delete' };
}

/**
 * Deletes expired threads and surplus checkpoints, from a timer. Skips threads that are in use until a later
 * sweep.
 */
export class ThreadSweeper {
  readonly #services: Needs<'clock' | 'crons' | 'log' | 'scheduler' | 'stores' | 'threadEvents' | 'threads'>;
  readonly #options: TtlOptions;
  readonly #timer: NodeJS.Timeout;
  #working: Promise<void> | null = null;
  readonly #keepLast: KeepLastSweep;
  #closed = false;

  constructor(
    services: Needs<'clock' | 'crons' | 'log' | 'scheduler' | 'stores' | 'threadEvents' | 'threads'>,
    options: TtlOptions,
  ) {
    this.#services = services;
    this.#options = options;
    this.#keepLast = new KeepLastSweep(services, options.keepLast);
    this.#timer = setInterval(() => this.wake(), options.sweepMs).unref();
  }

  /** Starts a sweep unless one is running. */
  wake(): void {
    this.#working ??= this.sweep()
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'the sweep of threads failed'))
      .finally(() => {
        this.#working = null;
      });
  }

  /** Resolves when everything that was expired at the start is deleted. */
  async sweep(): Promise<void> {
    const { stores, threads, clock } = this.#services;
    for (const threadId of stores.threads.expired(clock.nowMs(), this.#options.sweepMax)) {
      if (this.#closed) return;
      const record = threads.current(SERVER_CALLER, threadId);
      const expiry = record === undefined ? null : expiryOf(record);
      // The thread was used in the meantime.
      if (record === undefined || expiry === null || expiry > clock.nowMs() || threads.live(threadId) !== undefined)
        continue;
      if (record.ttl!.strategy === 'delete') await deleteThread(this.#services, SERVER_CALLER, threadId);
      else await pruneCheckpoints(this.#services, SERVER_CALLER, threadId);
    }
    await this.#keepLast.sweep(this.#options.sweepMax, () => this.#closed);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#working;
  }
}
