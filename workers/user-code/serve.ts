/**
 * Entry point of a user code thread: runs all user code except runs and handlers. It has no access to the
 * store. The main thread terminates it when it becomes unresponsive.
 */
import type { MessagePort } from 'node:worker_threads';
import { describeThrown, thrownText } from '../../src/base/thrown.js';
import type {
  UserCodeReply,
  UserCodeCall,
  UserCodeCalls,
  UserCodeCallType,
  UserCodeWorkerData,
} from '../../src/wire/user-code/user-code.js';
import type { CallTask } from '../../src/wire/user-code/calls.js';
import { exposeServerToSdk } from '../../src/wire/user-code/sdk-client.js';
import { guardNetwork } from '../../src/wire/user-code/network-guard.js';
import { guardProcess } from '../../src/wire/user-code/process-guard.js';
import { serveCalls, type CallHandler } from '../../src/wire/user-code/serve-calls.js';
import { readWorkerData } from '../../src/wire/worker-data.js';
import { graphHost, NotAGraphError } from '../graph/graph-host.js';
import type { RunUserCode } from './open-graph.js';
import { drawGraph } from './draw-graph.js';
import { embed } from './embed.js';
import { evaluate, evaluateSummary, loadEvaluator } from './evaluate.js';
import { readSchemas } from './read-schemas.js';

type Handler<T extends UserCodeCallType> = (
  request: UserCodeCall<T>,
  runUserCode: RunUserCode,
  port: MessagePort | null,
) => Promise<UserCodeCalls[T]['reply']>;

/**
 * Handlers by type of call. They must wrap every call of user code in `call`, so that a blocked event loop is
 * attributed to it.
 */
const HANDLERS: { [T in UserCodeCallType]: Handler<T> } = {
  'graph.draw': drawGraph,
  'graph.schemas': readSchemas,
  embed,
  'evaluator.load': loadEvaluator,
  evaluate,
  'evaluate.summary': evaluateSummary,
};

export default async function serve(task: CallTask): Promise<void> {
  const { own, outside } = readWorkerData<UserCodeWorkerData>();
  exposeServerToSdk(own);
  guardProcess();
  if (outside.mode === 'replayed' && outside.unrecorded !== 'live') guardNetwork(() => undefined);
  // An unhandled rejection of user code must not end the thread for everyone.
  process.on('unhandledRejection', (error) =>
    process.stderr.write(`Code of the project rejected a promise that is not awaited: ${thrownText(error)}\n`),
  );
  await serveCalls<UserCodeCall, UserCodeReply>(task, load);
}

async function load(): Promise<CallHandler<UserCodeCall, UserCodeReply>> {
  // Graphs are loaded on first use. A graph worker has already loaded all their files.
  await graphHost.library;
  return async (request, setCurrentCall, port) => {
    const runUserCode: RunUserCode = (work) => {
      setCurrentCall(request.serial);
      try {
        return work();
      } finally {
        setCurrentCall(0);
      }
    };
    try {
      return {
        serial: request.serial,
        type: 'done',
        value: await (HANDLERS[request.type] as Handler<UserCodeCallType>)(request, runUserCode, port),
      };
    } catch (error) {
      const described = describeThrown(error);
      return {
        serial: request.serial,
        type: 'failed',
        message: described.message,
        stack: described.stack,
        noGraph: error instanceof NotAGraphError,
      };
    }
  };
}
