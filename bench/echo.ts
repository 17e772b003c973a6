import { randomUUID } from 'node:crypto';
import type { Request } from 'autocannon';

/** The standard small run: two nodes, plain state. */
export const ECHO_INPUT = { text: 'hello' };
export const ECHO_ANSWER = JSON.stringify({ text: 'hello', steps: ['first hello', 'second hello'] });
export const ECHO_REQUEST: Request = {
  method: 'POST',
  path: '/runs/wait',
  body: JSON.stringify({ assistant_id: 'echo', input: ECHO_INPUT }),
};

/** The same, streamed in two modes. */
export const ECHO_STREAM = { assistant_id: 'echo', input: ECHO_INPUT, stream_mode: ['values', 'updates'] };

/** Turns of a thread before `streamOnThread` begins the next one. */
export const TURNS_PER_THREAD = 5;

/** A streamed run on a thread, which stores every checkpoint. Each client has its own threads. */
export function streamOnThread(body: object = ECHO_STREAM): Request {
  return {
    method: 'POST',
    path: '/',
    body: JSON.stringify({ ...body, if_not_exists: 'create' }),
    setupRequest(request, context) {
      const turn = (context['turn'] as number | undefined) ?? 0;
      context['turn'] = turn + 1;
      if (turn % TURNS_PER_THREAD === 0) context['thread'] = randomUUID();
      return { ...request, path: `/threads/${String(context['thread'])}/runs/stream` };
    },
  };
}
