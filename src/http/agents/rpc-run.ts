import type { RunCreate as RunCreateBody } from '../../../schemas/compiled/types.js';
import { RunCreate } from '../../../schemas/compiled/validators.js';
import { fail } from '../../base/errors.js';
import type { JsonObject } from '../../base/json/json.js';
import type { ParsedRequest, AuthView } from '../route.js';
import { RUN_VIEW } from '../routes/runs.js';

/** Holds the run that an access handler changed. JSON from a client cannot contain a symbol. */
const CHANGED = Symbol('run');

/**
 * Shows an access handler the run that a message starts, in the same form as a run started through the
 * LangGraph API.
 */
export function runAuthView(
  runOf: (body: unknown) => JsonObject,
  targetOf: (request: ParsedRequest) => { threadId: string | null; assistantId: string | null },
): AuthView {
  return {
    buildValue(request) {
      const { threadId, assistantId } = targetOf(request);
      return RUN_VIEW.buildValue({
        params: threadId === null ? {} : { thread_id: threadId },
        query: undefined,
        body: { ...runOf(request.body), assistant_id: assistantId },
      });
    },
    applyChanges: (body, changed) => ({ ...body, [CHANGED]: RUN_VIEW.applyChanges(runOf(body), changed) }),
  };
}

/** The run to start, including the handler's changes. Throws INVALID_REQUEST when it is not a valid run. */
export function readRunBody(message: object, runOf: (body: unknown) => JsonObject, assistantId: string): RunCreateBody {
  const changed = (message as { [CHANGED]?: JsonObject })[CHANGED];
  const run = { ...(changed ?? runOf(message)), assistant_id: assistantId };
  if (!RunCreate(run)) throw fail('INVALID_REQUEST', { problems: 'body: does not describe a valid run' });
  return run as RunCreateBody;
}
