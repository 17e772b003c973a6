import { LIMITS } from '../../../base/limits.js';
import { moveToMappedMemory } from '../../../base/mapped-memory.js';
import type { Caller } from '../../../domain/caller.js';
import type { EvaluationSession } from '../../../pool/evaluation-pool.js';
import type { Needs } from '../../../services/context.js';
import type { BodyMessage } from '../../../wire/evaluation/evaluation.js';
import { jsonReply, type Reply } from '../../route.js';
import type { Exchange } from '../../transport/exchange.js';
import { runQuery } from './run-query.js';

/** Makes a change and replies with the changed record, read by the query `name`. `change` returns its parameters. */
export async function changeAndRead(
  services: Needs<'evaluation' | 'scheduler'>,
  caller: Caller,
  name: string,
  change: () => Promise<object>,
): Promise<Reply> {
  services.scheduler.checkIntake();
  return runQuery(services, caller, name, await change());
}

/** Makes a change whose reply is an empty object, such as a deletion. */
export async function changeAndConfirm(services: Needs<'scheduler'>, change: () => Promise<unknown>): Promise<Reply> {
  services.scheduler.checkIntake();
  await change();
  return jsonReply('{}');
}

/** A request whose body goes to the evaluation thread. */
export interface BodyRequest {
  exchange: Exchange;
  caller: Caller;
  /** The body, if another route already read it; otherwise empty. */
  bytes: Uint8Array;
}

/** The headers that say how to read a body. */
export function bodyFormat({ headers }: Exchange): { contentType: string; encoding: string } {
  return { contentType: headers['content-type'] ?? '', encoding: headers['content-encoding'] ?? '' };
}

/**
 * Makes a change that an evaluation thread reads from the body. `firstMessage` describes the body. It is streamed
 * to the thread while `change` stores what the thread sends back. The task ends with an error if the body is
 * refused or interrupted.
 */
export async function changeFromBody<Out extends { type: string }, In, Value, T>(
  services: Needs<'evaluation' | 'scheduler'>,
  { exchange, bytes: bodyRead }: BodyRequest,
  { task, firstMessage }: { task: 'upload' | 'ingest' | 'examples'; firstMessage: NoInfer<Out> },
  change: (session: EvaluationSession<Out | BodyMessage, In, Value>) => Promise<T>,
): Promise<T> {
  const { evaluation, scheduler } = services;
  scheduler.checkIntake();
  const session = evaluation.pool.openSession<Out | BodyMessage, In, Value>(task);
  session.duplex.send(firstMessage);
  session.result.catch(() => undefined);
  const body = evaluation.bodies.open(bodyRead.byteLength > 0 ? 0 : exchange.contentLength);
  let isDone = false;
  const forward = (bytes: Uint8Array<ArrayBuffer>): void => {
    if (isDone) return;
    body.add(bytes.byteLength);
    const isLarge = body.declaredBytes > LIMITS.intakeBodyBytesMax;
    session.duplex.sendWithBytes({ type: 'body', bytes: isLarge ? moveToMappedMemory(bytes) : bytes });
  };
  try {
    // A body read by another route may be a slice of a larger buffer, and transferring it would transfer the
    // whole buffer.
    const forwarded =
      bodyRead.byteLength > 0
        ? Promise.resolve(forward(new Uint8Array(bodyRead)))
        : exchange.forwardBody(evaluation.uploadBytesMax, {
            pass: forward,
            mustPause: (resume) => !isDone && body.mustPause(resume),
          });
    const started = forwarded.then(() => {
      body.end();
      session.duplex.send({ type: 'bodyEnd' });
      session.start(body.bytes);
    });
    const [result] = await Promise.all([change(session), started]);
    return result;
  } catch (error) {
    session.duplex.send({ type: 'abort' });
    session.cancel(error as Error);
    throw error;
  } finally {
    isDone = true;
    body.release();
  }
}
