/**
 * Entry point of an auth worker: runs the project's `authenticate` and access handlers, and nothing else. It
 * has no access to the store or to graphs. The main thread terminates it when it becomes unresponsive.
 */
import { thrownText } from '../../src/base/thrown.js';
import type { LoadResult, CallTask } from '../../src/wire/user-code/calls.js';
import type { AuthReply, AuthCall, AuthWorkerData } from '../../src/wire/user-code/auth.js';
import { exposeServerToSdk } from '../../src/wire/user-code/sdk-client.js';
import { guardProcess } from '../../src/wire/user-code/process-guard.js';
import { serveCalls, type CallHandler } from '../../src/wire/user-code/serve-calls.js';
import { readWorkerData } from '../../src/wire/worker-data.js';
import { toHandlers, evaluateCall } from './handlers.js';
import { UserCache } from './user-cache.js';

const { module, exportName, cache: cacheOptions, own } = readWorkerData<AuthWorkerData>();
exposeServerToSdk(own);
guardProcess();

export default async function serve(task: CallTask): Promise<void> {
  // An unhandled rejection of one handler must not end the worker for everyone.
  process.on('unhandledRejection', (error) =>
    process.stderr.write(`An auth handler rejected a promise that is not awaited: ${thrownText(error)}\n`),
  );
  await serveCalls(task, load);
}

async function load(): Promise<CallHandler<AuthCall, AuthReply> | LoadResult> {
  const handlers = toHandlers(((await import(module)) as Record<string, unknown>)[exportName]);
  if (typeof handlers === 'string') return { ok: false, reason: `the export "${exportName}" ${handlers}`, stack: '' };
  const cache = cacheOptions === null ? null : new UserCache(cacheOptions);
  return (call, setCurrentCall) => evaluateCall(handlers, cache, call, setCurrentCall);
}
