import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { Conversation } from '../../wire/user-code/duplex.js';
import type {
  AppAnswer,
  AppAsk,
  AppPath,
  AppRequest,
  AppWorkerData,
  FromApp,
  ToApp,
} from '../../wire/user-code/app.js';
import { AskPool } from './call-pool.js';

export type AppTalk = Conversation<ToApp, FromApp>;

/**
 * The thread of the project's own HTTP app. It is there from the start and never idle: an app may hold connections and
 * counters. Every request is a conversation, which ends with its port. Throws OVERLOADED, APP_UNAVAILABLE.
 */
export class AppPool extends AskPool<AppAsk, AppAnswer, AppWorkerData> {
  constructor(data: AppWorkerData, log: Logger) {
    super(
      {
        entry: 'app/serve.js',
        data,
        threads: 1,
        heapMb: LIMITS.appHeapMb,
        silentMs: LIMITS.appSilentMs,
        askMs: () => LIMITS.appAskMs,
        waitMs: LIMITS.appWaitMs,
        asksMax: LIMITS.appRequestsMax,
        idleMs: null,
        name: 'the HTTP app',
        about: (ask) => (ask.type === 'request' ? `${ask.method} ${ask.url.split('?', 1)[0]!}` : ask.type),
        errors: {
          overloaded: () => fail('OVERLOADED', { what: 'too many requests wait for the HTTP app' }),
          silent: (waitedMs) => fail('APP_UNAVAILABLE', { reason: `it did not answer within ${waitedMs} ms` }),
          ended: () => fail('APP_UNAVAILABLE', { reason: 'its thread was lost' }),
          endedTwice: () => fail('APP_UNAVAILABLE', { reason: 'its thread was lost twice' }),
        },
      },
      log,
    );
  }

  /** Which requests the app may have something to say about; null: all. */
  async paths(): Promise<readonly AppPath[] | null> {
    return ((await this.ask({ type: 'paths' } as Omit<AppAsk, 'serial'>)) as AppAnswer<'paths'>).paths;
  }

  /** Asks the app about a request. The conversation fails when it cannot be asked, or its thread ends. Close it when all is said. */
  request(request: AppRequest): AppTalk {
    if (this.conversations >= LIMITS.appRequestsMax)
      throw fail('OVERLOADED', { what: `${this.conversations} requests are with the HTTP app` });
    const { answer, port } = this.converse({ type: 'request', ...request } as Omit<AppAsk, 'serial'>);
    const talk: AppTalk = new Conversation<ToApp, FromApp>(port, () =>
      fail('APP_UNAVAILABLE', { reason: 'its thread was lost' }),
    );
    answer.catch((error: unknown) => talk.fail(error as Error));
    return talk;
  }
}
