import type { Caller } from '../../../domain/caller.js';
import type { Needs } from '../../../services/context.js';
import type { BodyMessage } from '../../../wire/evaluation/evaluation.js';
import type { Exchange } from '../../transport/exchange.js';
import type { Reply } from '../../route.js';

/** Runs a query on an evaluation thread and returns its response. */
export async function runQuery(
  services: Needs<'evaluation'>,
  caller: Caller,
  name: string,
  params: unknown,
): Promise<Reply> {
  const { body, contentType, headers } = await services.evaluation.pool.read(name, caller, params);
  return { status: 200, body, contentType, headers };
}

/** The parts of a task that pass a body to it. */
interface BodyTask {
  duplex: {
    send(message: BodyMessage): void;
    sendWithBytes(message: BodyMessage & { bytes: Uint8Array<ArrayBuffer> }): void;
  };
  start(): void;
  cancel(error: Error): void;
  result: Promise<unknown>;
}

/**
 * Streams the request's body to a task while `work` runs. `read` is the body if another route already read it.
 * The task ends with an error if the body is refused or interrupted.
 */
export async function withBody<T>(
  services: Needs<'evaluation'>,
  exchange: Exchange,
  read: Uint8Array,
  task: BodyTask,
  work: () => Promise<T>,
): Promise<T> {
  const { evaluation } = services;
  let taken = 0;
  task.result.catch(() => undefined);
  const pass = (bytes: Uint8Array<ArrayBuffer>): void => {
    if (taken < 0) return;
    evaluation.reserveBytes(bytes.byteLength);
    taken += bytes.byteLength;
    task.duplex.sendWithBytes({ type: 'body', bytes });
  };
  try {
    // A body read by another route may be a slice of a larger buffer, and transferring it would transfer the
    // whole buffer.
    const body =
      read.byteLength > 0
        ? Promise.resolve(pass(new Uint8Array(read)))
        : exchange.forwardBody(evaluation.uploadBytesMax, pass);
    const passed = body.then(() => {
      task.duplex.send({ type: 'bodyEnd' });
      task.start();
    });
    const [result] = await Promise.all([work(), passed]);
    return result;
  } catch (error) {
    task.duplex.send({ type: 'abort' });
    task.cancel(error as Error);
    throw error;
  } finally {
    evaluation.releaseBytes(taken);
    taken = -1;
  }
}
