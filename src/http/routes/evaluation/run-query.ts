import type { Caller } from '../../../domain/caller.js';
import type { Needs } from '../../../services/context.js';
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
