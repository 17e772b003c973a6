import type { MessagePort } from 'node:worker_threads';
import type { AskReport, AskTask, FromAskThread, ToAskThread } from './calls.js';
import { startBeating } from '../vitals.js';
import { describeThrown } from '../../base/thrown.js';

/** Says whose code is being called: the serial of its ask, and 0 when it has returned. */
export type Turn = (serial: number) => void;

/** Answers one ask. Never rejects: what goes wrong is an answer too. `port` is there when whoever asked wants to say more than one ask can. */
export type Answer<A, R> = (ask: A, turn: Turn, port: MessagePort | null) => Promise<R>;

/** The thread's half of an ask pool: loads, says how that went, beats, and answers until the port closes. */
export async function serveAsks<A, R>(task: AskTask, load: () => Promise<Answer<A, R> | AskReport>): Promise<void> {
  const port = task.port as MessagePort;
  const say = (message: FromAskThread): void => port.postMessage(message);
  const turn = new Int32Array(task.turn);

  const loaded = await load().catch((error: unknown): AskReport => failedReport(error));
  if (typeof loaded !== 'function') return say({ report: loaded });
  say({ report: { ok: true } });
  startBeating(task.beat);

  let answers: string[] = [];
  port.on('message', (message: ToAskThread) => {
    const [text, own] = typeof message === 'string' ? [message, null] : [message.text, message.port as MessagePort];
    void loaded(JSON.parse(text) as A, (serial) => Atomics.store(turn, 0, serial), own).then((answer) => {
      answers.push(JSON.stringify(answer));
      if (answers.length > 1) return;
      // What is answered in one turn of the loop goes in one message.
      setImmediate(() => {
        say({ answers });
        answers = [];
      });
    });
  });
  await new Promise((resolve) => port.once('close', resolve));
}

function failedReport(error: unknown): AskReport {
  const { message, stack } = describeThrown(error);
  return { ok: false, reason: message, stack: stack ?? '' };
}
