/**
 * Entry point of the vector search thread: compares the vectors of long-term memory. It only reads the store
 * and runs no user code.
 */
import { deserializeCaller } from '../../src/domain/caller.js';
import { ThreadmillError } from '../../src/base/errors.js';
import { searchVectors } from '../../src/store/items/vector-search.js';
import { Reader } from '../../src/store/reader.js';
import type { CallTask } from '../../src/wire/user-code/calls.js';
import type { VectorSearchReply, VectorSearchCall, VectorSearchWorkerData } from '../../src/wire/vector-search.js';
import { decodeFloats } from '../../src/wire/numbers.js';
import { serveCalls } from '../../src/wire/user-code/serve-calls.js';
import { readWorkerData } from '../../src/wire/worker-data.js';

export default async function serve(task: CallTask): Promise<void> {
  await serveCalls<VectorSearchCall, VectorSearchReply>(task, async () => {
    const { dataFile, encryption } = readWorkerData<VectorSearchWorkerData>();
    const reader = Reader.attach(dataFile, encryption);
    return async (call, setCurrentCall) => {
      setCurrentCall(call.serial);
      try {
        return answer(reader, call);
      } catch (error) {
        if (error instanceof ThreadmillError && error.code === 'STORE_SCAN_LIMIT')
          return { serial: call.serial, type: 'limit' };
        return {
          serial: call.serial,
          type: 'failed',
          message: String(error),
          stack: error instanceof Error ? (error.stack ?? null) : null,
        };
      } finally {
        setCurrentCall(0);
      }
    };
  });
}

function answer(reader: Reader, { serial, caller, vector, mark, ...call }: VectorSearchCall): VectorSearchReply {
  reader.refresh();
  const near = searchVectors(reader, deserializeCaller(caller), {
    ...call,
    vector: decodeFloats(vector),
    mark: Buffer.from(mark, 'base64'),
  });
  return {
    serial,
    type: 'done',
    near: near.map(({ at, updatedAtUs, score }) => [at[2] as string, at[3] as string, updatedAtUs, score]),
  };
}
