import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { threadFile } from '../../base/program-files.js';
import type { Logger } from '../../base/log/log.js';
import type { NamedSchemas, TypesReply, TypesCall, TypesWorkerData } from '../../wire/user-code/graph-types.js';
import { CallPool } from './call-pool.js';

/**
 * The thread that reads schemas from TypeScript sources. It has no other tasks, because a read blocks it for
 * seconds. It runs no user code.
 */
export class TypesPool extends CallPool<TypesCall, TypesReply, TypesWorkerData> {
  constructor(data: TypesWorkerData, timeoutMs: number, log: Logger) {
    super(
      {
        file: threadFile('types/serve'),
        data,
        threads: 1,
        heapMb: LIMITS.typesHeapMb,
        // The thread cannot beat while it reads types, so the limit must not be shorter than the timeout.
        silentMs: Math.max(timeoutMs, LIMITS.userCodeSilentMs),
        callTimeoutMs: () => timeoutMs,
        queueTimeoutMs: null,
        callsMax: LIMITS.typesCallsMax,
        idleTimeoutMs: LIMITS.userCodeIdleMs,
        name: 'the types reader',
        describe: ({ file }) => file,
        errors: {
          overloaded: () => fail('OVERLOADED', { what: 'too many requests wait for schemas' }),
          silent: (waitedMs) => new Error(`the types could not be read within ${waitedMs} ms`),
          ended: (reason) => new Error(reason),
          endedTwice: (reason) => new Error(reason),
        },
      },
      log,
    );
  }

  /** Rejects with the reason if the types define no schemas or the read times out. */
  async readTypes(file: string, exportName: string): Promise<NamedSchemas> {
    const reply = await this.call({ file, exportName });
    if (reply.type === 'failed') throw new Error(reply.message);
    return reply.schemas;
  }
}
