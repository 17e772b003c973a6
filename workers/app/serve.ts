/**
 * Entry point of the app thread: runs the project's own HTTP app, with its routes and the middleware around the
 * built-in ones. It has no access to the store. The main thread terminates it when it becomes unresponsive.
 */
import { thrownText } from '../../src/base/thrown.js';
import type { AppReply, AppCall, AppWorkerData } from '../../src/wire/user-code/app.js';
import type { LoadResult, CallTask } from '../../src/wire/user-code/calls.js';
import { exposeServerToSdk } from '../../src/wire/user-code/sdk-client.js';
import { guardProcess } from '../../src/wire/user-code/process-guard.js';
import { serveCalls, type CallHandler } from '../../src/wire/user-code/serve-calls.js';
import { readWorkerData } from '../../src/wire/worker-data.js';
import { answerRequest } from './answer-request.js';
import { toApp } from './app.js';

const { module, exportName, own } = readWorkerData<AppWorkerData>();
exposeServerToSdk(own);
guardProcess();

export default async function serve(task: CallTask): Promise<void> {
  process.setSourceMapsEnabled(true);
  // An unhandled rejection of one route must not end the app for everyone.
  process.on('unhandledRejection', (error) =>
    process.stderr.write(`The HTTP app rejected a promise that is not awaited: ${thrownText(error)}\n`),
  );
  await serveCalls<AppCall, AppReply>(task, load);
}

async function load(): Promise<CallHandler<AppCall, AppReply> | LoadResult> {
  const app = toApp(((await import(module)) as Record<string, unknown>)[exportName]);
  if (typeof app === 'string') return { ok: false, reason: `the export "${exportName}" ${app}`, stack: '' };
  return async (call, setCurrentCall, port): Promise<AppReply> => {
    if (call.type === 'paths') return { serial: call.serial, paths: app.paths };
    // Everything else is reported through the port.
    void answerRequest(app, call, port!, (work) => {
      setCurrentCall(call.serial);
      try {
        return work();
      } finally {
        setCurrentCall(0);
      }
    });
    return { serial: call.serial };
  };
}
