import type { Caller } from '../../../base/caller.js';
import type { Services } from '../../../services/context.js';
import type { BodyMessage } from '../../../wire/evaluation.js';
import type { Exchange } from '../../exchange.js';
import type { Reply } from '../../route.js';

/** Lets the evaluation thread answer. */
export async function ask(services: Services, caller: Caller, name: string, params: unknown): Promise<Reply> {
  const { body, contentType, headers } = await services.evaluation.pool.read(name, caller, params);
  return { status: 200, body, contentType, headers };
}

/**
 * Passes the request's body (`read`, when it has been read already) to a task that waits for it, while `work` follows the
 * task. A body that is refused or breaks off ends the task.
 */
export async function withBody<T>(services: Services, exchange: Exchange, read: Uint8Array, task: { talk: { send(message: BodyMessage): void }; done: Promise<unknown> }, work: () => Promise<T>): Promise<T> {
  const { evaluation } = services;
  let taken = 0;
  task.done.catch(() => undefined);
  const pass = (bytes: Uint8Array): void => {
    if (taken < 0) return;
    evaluation.takeBytes(bytes.byteLength);
    taken += bytes.byteLength;
    task.talk.send({ type: 'body', bytes });
  };
  const body = read.byteLength > 0 ? Promise.resolve(pass(read)) : exchange.forward(evaluation.uploadBytesMax, pass);
  const passed = body.then(() => task.talk.send({ type: 'bodyEnd' }));
  try {
    const [result] = await Promise.all([work(), passed]);
    return result;
  } catch (error) {
    task.talk.send({ type: 'abort' });
    throw error;
  } finally {
    evaluation.giveBackBytes(taken);
    taken = -1;
  }
}

