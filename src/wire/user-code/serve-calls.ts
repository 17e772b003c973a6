import type { MessagePort } from 'node:worker_threads';
import type { LoadResult, CallTask, FromCallThread, ToCallThread } from './calls.js';
import { exposeLoggerToSdk } from './code-log.js';
import { startHeartbeat } from '../thread-metrics.js';
import { describeThrown } from '../../base/thrown.js';

/** Records the call whose code is about to run: its serial, or 0 after the code has returned. */
export type SetCurrentCall = (serial: number) => void;

/**
 * Handles a call. Never rejects, because an error is a reply too. `port` is set if the caller needs more than
 * one message and one reply.
 */
export type CallHandler<A, R> = (call: A, setCurrentCall: SetCurrentCall, port: MessagePort | null) => Promise<R>;

/** The thread's side of a call pool: loads, reports the result, beats, and answers calls until the port closes. */
export async function serveCalls<A, R>(
  task: CallTask,
  load: () => Promise<CallHandler<A, R> | LoadResult>,
): Promise<void> {
  const port = task.port as MessagePort;
  exposeLoggerToSdk(task.log as MessagePort);
  const send = (message: FromCallThread): void => port.postMessage(message);
  const currentCall = new Int32Array(task.turn);

  const loaded = await load().catch((error: unknown): LoadResult => failure(error));
  if (typeof loaded !== 'function') return send({ report: loaded });
  send({ report: { ok: true } });
  // The heap shrinks only until the first call: requests wait for calls.
  let isCalled = false;
  startHeartbeat(task.beat, () => !isCalled);

  let replies: string[] = [];
  port.on('message', (message: ToCallThread) => {
    isCalled = true;
    const [text, own] = typeof message === 'string' ? [message, null] : [message.text, message.port as MessagePort];
    void loaded(JSON.parse(text) as A, (serial) => Atomics.store(currentCall, 0, serial), own).then((reply) => {
      replies.push(JSON.stringify(reply));
      if (replies.length > 1) return;
      // All replies of one turn of the event loop go into one message.
      setImmediate(() => {
        send({ answers: replies });
        replies = [];
      });
    });
  });
  await new Promise((resolve) => port.once('close', resolve));
}

function failure(error: unknown): LoadResult {
  const { message, stack } = describeThrown(error);
  return { ok: false, reason: message, stack: stack ?? '' };
}
