import type { Request } from 'autocannon';

/** The standard small run: two nodes, plain state. */
export const ECHO_INPUT = { text: 'hello' };
export const ECHO_ANSWER = JSON.stringify({ text: 'hello', steps: ['first hello', 'second hello'] });
export const ECHO_REQUEST: Request = {
  method: 'POST',
  path: '/runs/wait',
  body: JSON.stringify({ assistant_id: 'echo', input: ECHO_INPUT }),
};
