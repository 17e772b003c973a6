import { SERVER_CALLER } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { isObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { expiryOf, type ThreadTtl } from '../../store/threads/threads.js';
import type { Services } from '../context.js';
import { KeepLast } from './keep-last.js';
import { thinThread } from './prune-threads.js';
import { deleteThread } from './threads.js';

/** `checkpointer` of langgraph.json. */
export interface TtlOptions {
  /** For threads that come without one; null: they are kept. */
  fallback: ThreadTtl | null;
  sweepMs: number;
  /** Threads of one sweep. */
  sweepMax: number;
  /** `checkpointer.keep_last`: newest states that are kept of each thread that does not say itself; null: all. */
  keepLast: number | null;
}

/** What a client sent as `ttl`: minutes, or minutes with a strategy. Undefined when it sent none. */
export function ttlOf(sent: unknown): ThreadTtl | null | undefined {
  if (sent === undefined) return undefined;
  if (sent === null) return null;
  const { ttl, strategy } = isObject(sent) ? sent : { ttl: sent, strategy: null };
  if (typeof ttl !== 'number' || ttl > LIMITS.ttlMinutesMax)
    throw fail('INVALID_REQUEST', { problems: `body.ttl: must not be more than ${LIMITS.ttlMinutesMax} minutes` });
  return { minutes: ttl, strategy: strategy === 'keep_latest' ? 'keep_latest' : 'delete' };
}

/** Removes what is over its time, and states beyond those that are kept, from a timer. A thread that is being worked on has its turn when that is over. */
export class ThreadSweeper {
  readonly #services: Services;
  readonly #options: TtlOptions;
  readonly #timer: NodeJS.Timeout;
  #working: Promise<void> | null = null;
  readonly #keepLast: KeepLast;
  #closed = false;

  constructor(services: Services, options: TtlOptions) {
    this.#services = services;
    this.#options = options;
    this.#keepLast = new KeepLast(services, options.keepLast);
    this.#timer = setInterval(() => this.wake(), options.sweepMs).unref();
  }

  /** Sweeps now, unless a sweep is under way. */
  wake(): void {
    this.#working ??= this.sweep()
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'the sweep of threads failed'))
      .finally(() => {
        this.#working = null;
      });
  }

  /** Resolves when what was over its time at first is gone. */
  async sweep(): Promise<void> {
    const { stores, threads, clock } = this.#services;
    for (const threadId of stores.threads.expired(clock.nowMs(), this.#options.sweepMax)) {
      if (this.#closed) return;
      const record = threads.current(SERVER_CALLER, threadId);
      const expiry = record === undefined ? null : expiryOf(record);
      // It was used meanwhile.
      if (record === undefined || expiry === null || expiry > clock.nowMs() || threads.live(threadId) !== undefined)
        continue;
      if (record.ttl!.strategy === 'delete') await deleteThread(this.#services, SERVER_CALLER, threadId);
      else await thinThread(this.#services, SERVER_CALLER, threadId);
    }
    await this.#keepLast.sweep(this.#options.sweepMax, () => this.#closed);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#working;
  }
}
