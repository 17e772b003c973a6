import type { Caller } from '../../../domain/caller.js';
import type { Services } from '../../../services/context.js';
import type { BodyMessage } from '../../../wire/evaluation/evaluation.js';
import type { Exchange } from '../../transport/exchange.js';
import type { Reply } from '../../route.js';

/** Lets the evaluation thread answer. */
export async function ask(services: Services, caller: Caller, name: string, params: unknown): Promise<Reply> {
  const { body, contentType, headers } = await services.evaluation.pool.read(name, caller, params);
  return { status: 200, body, contentType, headers };
}

/** What of a task a body needs, whatever its conversation is about. */
interface BodyTask {
  talk: { send(message: BodyMessage): void; hand(message: BodyMessage & { bytes: Uint8Array<ArrayBuffer> }): void };
  start(): void;
  abandon(error: Error): void;
  done: Promise<unknown>;
}

/**
 * Passes the request's body (`read`, when it has been read already) to a task that waits for it, while `work` follows the
 * task. A body that is refused or breaks off ends the task.
 */
export async function withBody<T>(
  services: Services,
  exchange: Exchange,
  read: Uint8Array,
  task: BodyTask,
  work: () => Promise<T>,
): Promise<T> {
  const { evaluation } = services;
  let taken = 0;
  task.done.catch(() => undefined);
  const pass = (bytes: Uint8Array<ArrayBuffer>): void => {
    if (taken < 0) return;
    evaluation.takeBytes(bytes.byteLength);
    taken += bytes.byteLength;
    task.talk.hand({ type: 'body', bytes });
  };
  try {
    // What was read for another route may be part of a larger buffer, and handing over takes all of it.
    const body =
      read.byteLength > 0
        ? Promise.resolve(pass(new Uint8Array(read)))
        : exchange.forwardBody(evaluation.uploadBytesMax, pass);
    const passed = body.then(() => {
      task.talk.send({ type: 'bodyEnd' });
      task.start();
    });
    const [result] = await Promise.all([work(), passed]);
    return result;
  } catch (error) {
    task.talk.send({ type: 'abort' });
    task.abandon(error as Error);
    throw error;
  } finally {
    evaluation.giveBackBytes(taken);
    taken = -1;
  }
}
