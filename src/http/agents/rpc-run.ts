import type { RunCreate as RunCreateBody } from '../../../schemas/compiled/types.js';
import { RunCreate } from '../../../schemas/compiled/validators.js';
import { fail } from '../../base/errors.js';
import type { JsonObject } from '../../base/json/json.js';
import type { ParsedRequest, Shown } from '../route.js';
import { RUN } from '../routes/runs.js';

/** Holds the run that an access handler changed. JSON from a client cannot contain a symbol. */
const CHANGED = Symbol('run');

/**
 * Shows an access handler the run that a message starts, in the same form as a run started through the
 * LangGraph API.
 */
export function shownAsRun(
  runOf: (body: unknown) => JsonObject,
  known: (asked: ParsedRequest) => { threadId: string | null; assistantId: string | null },
): Shown {
  return {
    value(asked) {
      const { threadId, assistantId } = known(asked);
      return RUN.value({
        params: threadId === null ? {} : { thread_id: threadId },
        query: undefined,
        body: { ...runOf(asked.body), assistant_id: assistantId },
      });
    },
    back: (body, changed) => ({ ...body, [CHANGED]: RUN.back(runOf(body), changed) }),
  };
}

/** The run to start, including the handler's changes. Throws INVALID_REQUEST when it is not a valid run. */
export function runToStart(message: object, runOf: (body: unknown) => JsonObject, assistantId: string): RunCreateBody {
  const changed = (message as { [CHANGED]?: JsonObject })[CHANGED];
  const run = { ...(changed ?? runOf(message)), assistant_id: assistantId };
  if (!RunCreate(run)) throw fail('INVALID_REQUEST', { problems: 'body: does not describe a valid run' });
  return run as RunCreateBody;
}
