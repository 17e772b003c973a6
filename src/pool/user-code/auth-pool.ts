import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import type { GateAnswer, GateAsk, GateWorkerData } from '../../wire/user-code/auth.js';
import { AskPool } from './call-pool.js';

/** Two threads that run the developer's handlers. `ask` throws OVERLOADED, AUTH_FAILED (the handler ended its gate), AUTH_SILENT. */
export class GatePool extends AskPool<GateAsk, GateAnswer, GateWorkerData> {
  constructor(data: GateWorkerData, log: Logger) {
    super(
      {
        entry: 'auth/serve.js',
        data,
        threads: LIMITS.gates,
        heapMb: LIMITS.gateHeapMb,
        silentMs: LIMITS.gateSilentMs,
        askMs: () => LIMITS.gateAskMs,
        waitMs: null,
        asksMax: LIMITS.gateAsksMax,
        idleMs: null,
        name: 'the auth handler',
        about: ({ request }) => `${request.method} ${request.url.split('?', 1)[0]!}`,
        errors: {
          overloaded: () => fail('OVERLOADED', { what: 'too many requests wait for the auth handler' }),
          silent: (waitedMs) => fail('AUTH_SILENT', { waitedMs }),
          ended: () => fail('AUTH_FAILED', { where: 'it did not return' }),
          endedTwice: () => fail('AUTH_FAILED', { where: 'its gate was lost twice' }),
        },
      },
      log,
    );
  }
}
