import type { RunCreate as RunCreateBody } from '../../../schemas/compiled/types.js';
import { RunCreate } from '../../../schemas/compiled/validators.js';
import { fail } from '../../base/errors.js';
import type { JsonObject } from '../../base/json/json.js';
import type { Asked, Shown } from '../route.js';
import { RUN } from '../routes/runs.js';

/** The run that a message asks for, where an access handler changed it; no JSON of a client's has it. */
const CHANGED = Symbol('run');

/** An access handler is shown the run that a message asks for, as it is shown one that is started in the API's own way. */
export function shownAsRun(
  runOf: (body: unknown) => JsonObject,
  known: (asked: Asked) => { threadId: string | null; assistantId: string | null },
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

/** What is to be run, with what the handler changed. Throws INVALID_REQUEST when that is no run. */
export function runToStart(message: object, runOf: (body: unknown) => JsonObject, assistantId: string): RunCreateBody {
  const changed = (message as { [CHANGED]?: JsonObject })[CHANGED];
  const run = { ...(changed ?? runOf(message)), assistant_id: assistantId };
  if (!RunCreate(run)) throw fail('INVALID_REQUEST', { problems: 'body: what is asked for is not a valid run' });
  return run as RunCreateBody;
}
