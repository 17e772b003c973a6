/** Entry of a desk: runs all code of the user's that is no run and no handler. It has no store; the front ends it when it stands still. */
import type { MessagePort } from 'node:worker_threads';
import { describeThrown, thrownText } from '../../src/base/thrown.js';
import type { DeskAnswer, DeskAsk, DeskKinds, DeskType, DeskWorkerData } from '../../src/wire/user-code/user-code.js';
import type { AskTask } from '../../src/wire/user-code/calls.js';
import { offerOwnServer } from '../../src/wire/user-code/own-client.js';
import { guardProcess } from '../../src/wire/user-code/process-guard.js';
import { serveAsks, type Answer } from '../../src/wire/user-code/serve-calls.js';
import { ownWorkerData } from '../../src/wire/worker-data.js';
import { host, NoGraph } from '../graph/graph-host.js';
import type { Call } from './call.js';
import { drawGraph } from './draw-graph.js';
import { embed } from './embed.js';
import { readSchemas } from './read-schemas.js';

type Handler<T extends DeskType> = (
  ask: DeskAsk<T>,
  call: Call,
  port: MessagePort | null,
) => Promise<DeskKinds[T]['answer']>;

/** What answers each kind of ask. `call` is to be put around every call of the user's code, so that it is known whose it was. */
const HANDLERS: { [T in DeskType]: Handler<T> } = {
  'graph.draw': drawGraph,
  'graph.schemas': readSchemas,
  embed,
};

export default async function serve(task: AskTask): Promise<void> {
  process.setSourceMapsEnabled(true);
  offerOwnServer(ownWorkerData<DeskWorkerData>().own);
  guardProcess();
  // What the user's code rejects without anyone looking must not end the desk for everyone.
  process.on('unhandledRejection', (error) =>
    process.stderr.write(`Code of the project rejected a promise that nobody awaits: ${thrownText(error)}\n`),
  );
  await serveAsks<DeskAsk, DeskAnswer>(task, load);
}

async function load(): Promise<Answer<DeskAsk, DeskAnswer>> {
  // The graphs are loaded when they are first asked about: their files were all loaded by a graph worker before.
  await host.library;
  return async (ask, turn, port) => {
    const call: Call = (work) => {
      turn(ask.serial);
      try {
        return work();
      } finally {
        turn(0);
      }
    };
    try {
      return {
        serial: ask.serial,
        type: 'done',
        value: await (HANDLERS[ask.type] as Handler<DeskType>)(ask, call, port),
      };
    } catch (error) {
      const described = describeThrown(error);
      return {
        serial: ask.serial,
        type: 'failed',
        message: described.message,
        stack: described.stack,
        noGraph: error instanceof NoGraph,
      };
    }
  };
}
