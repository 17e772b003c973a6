/** Entry of the thread that reads schemas out of TypeScript sources. It imports no code of the user's: it only reads it. */
import { describeThrown } from '../../src/base/thrown.js';
import type { AskTask } from '../../src/wire/user-code/calls.js';
import { LIMITS } from '../../src/base/limits.js';
import type { TypesAnswer, TypesAsk, TypesWorkerData } from '../../src/wire/user-code/graph-types.js';
import { serveAsks, type Turn } from '../../src/wire/user-code/serve-calls.js';
import { ownWorkerData } from '../../src/wire/worker-data.js';
import { TypesCache } from './cache.js';

const { root, cacheFolder } = ownWorkerData<TypesWorkerData>();

export default async function serve(task: AskTask): Promise<void> {
  const cache = new TypesCache(root, cacheFolder);
  const answer = async (ask: TypesAsk, turn: Turn): Promise<TypesAnswer> => {
    try {
      return { serial: ask.serial, type: 'done', schemas: await schemasOf(cache, ask, turn) };
    } catch (error) {
      return { serial: ask.serial, type: 'failed', message: describeThrown(error).message };
    }
  };
  await serveAsks<TypesAsk, TypesAnswer>(task, () => Promise.resolve(answer));
}

async function schemasOf(
  cache: TypesCache,
  { serial, file, exportName }: TypesAsk,
  turn: Turn,
): Promise<(TypesAnswer & { type: 'done' })['schemas']> {
  const known = cache.get(file, exportName);
  if (known !== null) return known;
  // The compiler is nine megabytes of code: it is loaded by the first graph that needs it.
  const { readTypes } = await import('./read-types.js');
  turn(serial);
  try {
    const { schemas, files } = readTypes(file, exportName);
    if (JSON.stringify(schemas).length > LIMITS.deskAnswerCharsMax)
      throw new Error(`the schemas are larger than ${LIMITS.deskAnswerCharsMax} characters`);
    cache.put(file, exportName, schemas, files);
    return schemas;
  } finally {
    turn(0);
  }
}
