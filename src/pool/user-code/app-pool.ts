import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { threadFile } from '../../base/program-files.js';
import type { Logger } from '../../base/log/log.js';
import { Duplex } from '../../wire/user-code/duplex.js';
import type {
  AppReply,
  AppCall,
  AppPath,
  AppRequest,
  AppWorkerData,
  FromApp,
  ToApp,
} from '../../wire/user-code/app.js';
import { CallPool } from './call-pool.js';

export type AppDuplex = Duplex<ToApp, FromApp>;

/**
 * The thread of the project's HTTP app. It runs from the start and never ends as idle, because an app may hold
 * connections and counters. Every request has its own port. Throws OVERLOADED, APP_UNAVAILABLE.
 */
export class AppPool extends CallPool<AppCall, AppReply, AppWorkerData> {
  constructor(data: AppWorkerData, log: Logger) {
    super(
      {
        file: threadFile('app/serve'),
        data,
        threads: 1,
        heapMb: LIMITS.appHeapMb,
        silentMs: LIMITS.appSilentMs,
        callTimeoutMs: () => LIMITS.appCallMs,
        queueTimeoutMs: LIMITS.appStartMs,
        callsMax: LIMITS.appRequestsMax,
        idleTimeoutMs: null,
        name: 'the HTTP app',
        describe: (call) => (call.type === 'request' ? `${call.method} ${call.url.split('?', 1)[0]!}` : call.type),
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

  /** Path prefixes of the requests that the app may handle. Null: all requests. */
  async paths(): Promise<readonly AppPath[] | null> {
    return ((await this.call({ type: 'paths' } as Omit<AppCall, 'serial'>)) as AppReply<'paths'>).paths;
  }

  /**
   * Passes a request to the app. The channel fails if the app cannot be called or its thread ends. Close the
   * channel when the request is done.
   */
  request(request: AppRequest): AppDuplex {
    if (this.openPorts >= LIMITS.appRequestsMax)
      throw fail('OVERLOADED', { what: `${this.openPorts} requests are with the HTTP app` });
    const { reply, port } = this.callWithPort({ type: 'request', ...request } as Omit<AppCall, 'serial'>);
    const duplex: AppDuplex = new Duplex<ToApp, FromApp>(port, () =>
      fail('APP_UNAVAILABLE', { reason: 'its thread was lost' }),
    );
    reply.catch((error: unknown) => duplex.fail(error as Error));
    return duplex;
  }
}
