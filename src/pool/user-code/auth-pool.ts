import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { threadFile } from '../../base/program-files.js';
import type { Logger } from '../../base/log/log.js';
import type { AuthReply, AuthCall, AuthWorkerData } from '../../wire/user-code/auth.js';
import { CallPool } from './call-pool.js';

/**
 * The threads that run the project's auth handlers. `call` throws OVERLOADED, AUTH_FAILED (the handler ended
 * its worker), AUTH_SILENT.
 */
export class AuthPool extends CallPool<AuthCall, AuthReply, AuthWorkerData> {
  constructor(data: AuthWorkerData, log: Logger) {
    super(
      {
        file: threadFile('auth/serve'),
        data,
        threads: LIMITS.authWorkers,
        heapMb: LIMITS.authHeapMb,
        silentMs: LIMITS.authSilentMs,
        callTimeoutMs: () => LIMITS.authCallMs,
        queueTimeoutMs: null,
        callsMax: LIMITS.authCallsMax,
        idleTimeoutMs: null,
        name: 'the auth handler',
        describe: ({ request }) => `${request.method} ${request.url.split('?', 1)[0]!}`,
        errors: {
          overloaded: () => fail('OVERLOADED', { what: 'too many requests wait for the auth handler' }),
          silent: (waitedMs) => fail('AUTH_SILENT', { waitedMs }),
          ended: () => fail('AUTH_FAILED', { where: 'it did not return' }),
          endedTwice: () => fail('AUTH_FAILED', { where: 'its worker was lost twice' }),
        },
      },
      log,
    );
  }
}
