/**
 * Entry point of the thread that reads schemas from TypeScript sources. It never imports the project's code; it
 * only parses it.
 */
import { describeThrown } from '../../src/base/thrown.js';
import type { CallTask } from '../../src/wire/user-code/calls.js';
import { LIMITS } from '../../src/base/limits.js';
import type { TypesReply, TypesCall, TypesWorkerData } from '../../src/wire/user-code/graph-types.js';
import { serveCalls, type SetCurrentCall } from '../../src/wire/user-code/serve-calls.js';
import { readWorkerData } from '../../src/wire/worker-data.js';
import { TypesCache } from './cache.js';

const { root, cacheFolder } = readWorkerData<TypesWorkerData>();

export default async function serve(task: CallTask): Promise<void> {
  const cache = new TypesCache(root, cacheFolder);
  const handleCall = async (call: TypesCall, setCurrentCall: SetCurrentCall): Promise<TypesReply> => {
    try {
      return { serial: call.serial, type: 'done', schemas: await schemasOf(cache, call, setCurrentCall) };
    } catch (error) {
      return { serial: call.serial, type: 'failed', message: describeThrown(error).message };
    }
  };
  await serveCalls<TypesCall, TypesReply>(task, () => Promise.resolve(handleCall));
}

async function schemasOf(
  cache: TypesCache,
  { serial, file, exportName }: TypesCall,
  setCurrentCall: SetCurrentCall,
): Promise<(TypesReply & { type: 'done' })['schemas']> {
  const known = cache.get(file, exportName);
  if (known !== null) return known;
  // The compiler is nine megabytes of code, so it is loaded when the first graph needs it.
  const { readTypes } = await import('./read-types.js');
  setCurrentCall(serial);
  try {
    const { schemas, files } = readTypes(file, exportName);
    if (JSON.stringify(schemas).length > LIMITS.userCodeResultCharsMax)
      throw new Error(`the schemas are larger than ${LIMITS.userCodeResultCharsMax} characters`);
    cache.put(file, exportName, schemas, files);
    return schemas;
  } finally {
    setCurrentCall(0);
  }
}
