import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { threadFile } from '../../base/program-files.js';
import type { Logger } from '../../base/log/log.js';
import type {
  UserCodeReply,
  UserCodeCall,
  UserCodeCalls,
  UserCodeCallType,
  UserCodeWorkerData,
} from '../../wire/user-code/user-code.js';
import { CallPool } from './call-pool.js';

/** A call of user code failed. The caller converts this into its own error. */
export class UserCodeError extends Error {
  /**
   * `threw`: the code threw an error. `no-graph`: it returned no graph. `ended`: it blocked or ended its
   * thread. `silent`: it timed out.
   */
  readonly kind: 'threw' | 'no-graph' | 'ended' | 'silent';

  constructor(why: UserCodeError['kind'], message: string) {
    super(message);
    this.kind = why;
  }
}

/** How long calls may take that are not a matter of milliseconds. */
const CALL_MS: { [T in UserCodeCallType]?: number } = {
  embed: LIMITS.embedMs,
  evaluate: LIMITS.evaluatorMs,
  'evaluate.summary': LIMITS.evaluatorMs,
};

/** The thread for all user code except runs, auth handlers and the HTTP app. It starts with the first call. */
export class UserCodePool extends CallPool<UserCodeCall, UserCodeReply, UserCodeWorkerData> {
  constructor(data: UserCodeWorkerData, log: Logger) {
    super(
      {
        file: threadFile('user-code/serve'),
        data,
        threads: LIMITS.userCodeThreads,
        heapMb: LIMITS.userCodeHeapMb,
        silentMs: LIMITS.userCodeSilentMs,
        callTimeoutMs: ({ type }) => CALL_MS[type] ?? LIMITS.userCodeCallMs,
        queueTimeoutMs: LIMITS.userCodeStartMs,
        callsMax: LIMITS.userCodeCallsMax,
        idleTimeoutMs: LIMITS.userCodeIdleMs,
        name: 'user code',
        describe: (call) =>
          'graphId' in call
            ? `${call.type} of ${call.graphId}`
            : 'evaluator' in call
              ? `evaluator ${call.evaluator.name}`
              : call.type,
        errors: {
          overloaded: () => fail('OVERLOADED', { what: 'too many requests wait for user code' }),
          silent: (waitedMs) => new UserCodeError('silent', `it did not answer within ${waitedMs} ms`),
          ended: (reason) => new UserCodeError('ended', reason),
          endedTwice: (reason) => new UserCodeError('ended', `its thread was lost twice: ${reason}`),
        },
      },
      log,
    );
  }

  /** Calls the handler of this type (workers/user-code/serve.ts). Throws OVERLOADED, SHUTTING_DOWN, UserCodeError. */
  async callHandler<T extends UserCodeCallType>(
    type: T,
    params: UserCodeCalls[T]['params'],
  ): Promise<UserCodeCalls[T]['reply']> {
    const reply = await this.call({ type, ...params } as unknown as Omit<UserCodeCall, 'serial'>);
    if (reply.type === 'done') return reply.value as UserCodeCalls[T]['reply'];
    const error = new UserCodeError(reply.noGraph ? 'no-graph' : 'threw', reply.message);
    if (reply.stack !== null) error.stack = reply.stack;
    throw error;
  }
}
