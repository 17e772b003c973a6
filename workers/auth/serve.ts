/**
 * Entry of a gate: runs the developer's `authenticate` and access handlers, nothing else. It has no store and no graphs; the
 * front ends it when it stands still.
 */
import { thrownText } from '../../src/base/thrown.js';
import type { AskReport, AskTask } from '../../src/wire/user-code/calls.js';
import type { GateAnswer, GateAsk, GateWorkerData } from '../../src/wire/user-code/auth.js';
import { offerOwnServer } from '../../src/wire/user-code/own-client.js';
import { guardProcess } from '../../src/wire/user-code/process-guard.js';
import { serveAsks, type Answer } from '../../src/wire/user-code/serve-calls.js';
import { ownWorkerData } from '../../src/wire/worker-data.js';
import { handlersOf, judge } from './handlers.js';
import { UserCache } from './user-cache.js';

const { module, exportName, cache: cacheOptions, own } = ownWorkerData<GateWorkerData>();
offerOwnServer(own);
guardProcess();

export default async function serve(task: AskTask): Promise<void> {
  // A handler that rejects a promise of its own, unseen, must not end the gate for everyone.
  process.on('unhandledRejection', (error) =>
    process.stderr.write(`An auth handler rejected a promise that nobody awaits: ${thrownText(error)}\n`),
  );
  await serveAsks(task, load);
}

async function load(): Promise<Answer<GateAsk, GateAnswer> | AskReport> {
  const handlers = handlersOf(((await import(module)) as Record<string, unknown>)[exportName]);
  if (typeof handlers === 'string') return { ok: false, reason: `the export "${exportName}" ${handlers}`, stack: '' };
  const cache = cacheOptions === null ? null : new UserCache(cacheOptions);
  return (ask, turn) => judge(handlers, cache, ask, turn);
}
