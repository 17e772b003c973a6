/** Entry of the thread of the project's own HTTP app: routes, and middleware around the built-in ones. It has no store; the front ends it when it stands still. */
import { thrownText } from '../../src/base/thrown.js';
import type { AppAnswer, AppAsk, AppWorkerData } from '../../src/wire/user-code/app.js';
import type { AskReport, AskTask } from '../../src/wire/user-code/calls.js';
import { offerOwnServer } from '../../src/wire/user-code/own-client.js';
import { guardProcess } from '../../src/wire/user-code/process-guard.js';
import { serveAsks, type Answer } from '../../src/wire/user-code/serve-calls.js';
import { ownWorkerData } from '../../src/wire/worker-data.js';
import { answerRequest } from './answer-request.js';
import { appOf } from './app.js';

const { module, exportName, own } = ownWorkerData<AppWorkerData>();
offerOwnServer(own);
guardProcess();

export default async function serve(task: AskTask): Promise<void> {
  process.setSourceMapsEnabled(true);
  // What one route rejects without anyone looking must not end the app for everyone.
  process.on('unhandledRejection', (error) =>
    process.stderr.write(`The HTTP app rejected a promise that nobody awaits: ${thrownText(error)}\n`),
  );
  await serveAsks<AppAsk, AppAnswer>(task, load);
}

async function load(): Promise<Answer<AppAsk, AppAnswer> | AskReport> {
  const app = appOf(((await import(module)) as Record<string, unknown>)[exportName]);
  if (typeof app === 'string') return { ok: false, reason: `the export "${exportName}" ${app}`, stack: '' };
  return async (ask, turn, port): Promise<AppAnswer> => {
    if (ask.type === 'paths') return { serial: ask.serial, paths: app.paths };
    // The front hears the rest over the port.
    void answerRequest(app, ask, port!, (work) => {
      turn(ask.serial);
      try {
        return work();
      } finally {
        turn(0);
      }
    });
    return { serial: ask.serial };
  };
}
