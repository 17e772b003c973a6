import { ThreadCreate, ThreadParams } from '../schemas/compiled/validators.js';
import type { Clock } from '../src/base/clock.js';
import { fail, type ErrorParams } from '../src/base/errors.js';
import { LOCAL_CALLER, type Caller } from '../src/domain/caller.js';
import { defineRoute, jsonReply, type Route } from '../src/http/route.js';
import type { openStores } from '../src/store/stores.js';

/**
 * Tests of types. Nothing here runs: the build checks it. It fails when a line below `@ts-expect-error` compiles, and
 * when any other line does not.
 */

const summary = 'A route';
const handle = () => jsonReply('{}');

/** A route needs an action, so that none can be served without authorization. */
export function routeNeedsAction(): void {
  defineRoute({ method: 'get', path: '/a', action: 'threads:read', summary, handle });
  // @ts-expect-error without an action
  defineRoute({ method: 'get', path: '/a', summary, handle });
  // @ts-expect-error an action that does not exist
  defineRoute({ method: 'get', path: '/a', action: 'threads:look', summary, handle });
  // @ts-expect-error an additional action that does not exist
  defineRoute({ method: 'get', path: '/a', action: 'threads:read', additionalActions: ['all'], summary, handle });
}

/** A route has a known method, a summary for the documentation, and a handler. */
export function routeIsComplete(): void {
  // @ts-expect-error an unknown method
  defineRoute({ method: 'head', path: '/a', action: 'threads:read', summary, handle });
  // @ts-expect-error without a summary
  defineRoute({ method: 'get', path: '/a', action: 'threads:read', handle });
  // @ts-expect-error without a handler
  defineRoute({ method: 'get', path: '/a', action: 'threads:read', summary });
  // @ts-expect-error a property that does not exist
  defineRoute({ method: 'get', path: '/a', action: 'threads:read', summary, handle, public: true });
  // @ts-expect-error a rule for other origins that does not exist
  defineRoute({ method: 'get', path: '/a', action: 'threads:read', summary, handle, crossSite: 'sometimes' });
}

/** A handler gets exactly what the validators of its route let pass. */
export function handlerIsTypedByValidators(): void {
  defineRoute({
    method: 'post',
    path: '/threads/:thread_id',
    action: 'threads:create',
    summary,
    params: ThreadParams,
    body: ThreadCreate,
    handle({ params, body, query }) {
      const id: string = params.thread_id;
      const given: string | null | undefined = body.thread_id;
      const none: undefined = query;
      // @ts-expect-error a path parameter that the schema does not have
      void params.run_id;
      // @ts-expect-error it may be missing
      const required: string = body.thread_id;
      void [id, given, none, required];
      return jsonReply('{}');
    },
  });
  defineRoute({
    method: 'post',
    path: '/a',
    action: 'threads:create',
    summary,
    handle({ body }) {
      // @ts-expect-error a body that no validator has checked
      void body.metadata;
      return null;
    },
  });
}

/** A handler returns a reply with a status, or null after it has written the response itself. */
export function handlerReturnsReply(): void {
  const route = { method: 'get', path: '/a', action: 'threads:read', summary } as const;
  defineRoute({ ...route, handle: () => null });
  defineRoute({ ...route, handle: async () => ({ status: 200, body: '{}' }) });
  // @ts-expect-error nothing
  defineRoute({ ...route, handle: () => undefined });
  // @ts-expect-error without a status
  defineRoute({ ...route, handle: () => ({ body: '{}' }) });
  // @ts-expect-error an object instead of its JSON
  defineRoute({ ...route, handle: () => ({ status: 200, body: {} }) });
}

/** A route does not change after it is defined. */
export function routeIsReadOnly(route: Route): void {
  // @ts-expect-error the action of a route is read-only
  route.action = 'threads:read';
}

/** Only domain/caller.ts creates callers: nobody else can read the store on behalf of somebody unchecked. */
export function callerCannotBeMadeUp(): Caller {
  const { identity, keyId, authenticated, displayName, permissions, user, itemScope, filters, stamp } = LOCAL_CALLER;
  // @ts-expect-error all properties of a caller, but not made by that module
  return { identity, keyId, authenticated, displayName, permissions, user, itemScope, filters, stamp };
}

/** The store is read on behalf of a caller. */
export function storeNeedsCaller({ assistants }: ReturnType<typeof openStores>): void {
  void assistants.get(LOCAL_CALLER, 'id');
  // @ts-expect-error without a caller
  void assistants.get('id');
}

/** An error has a code of the table, and what the message of this code needs. */
export function errorNeedsItsParameters(): void {
  void fail('BODY_TOO_LARGE', { bytesMax: 1 });
  // @ts-expect-error an unknown code
  void fail('BODY_TOO_WIDE', { bytesMax: 1 });
  // @ts-expect-error without the parameter of the message
  void fail('BODY_TOO_LARGE', {});
  // @ts-expect-error a parameter of another type
  void fail('BODY_TOO_LARGE', { bytesMax: '1' });
  const params: ErrorParams<'BODY_TOO_SLOW'> = { bytes: 1, seconds: 1 };
  // @ts-expect-error the parameters of another code
  void fail('MALFORMED_JSON', params);
}

/** A clock tells the time of day and durations apart. */
export function clockHasBothTimes(clock: Clock): void {
  const cancel: () => void = clock.wakeAfter(1, () => undefined);
  // @ts-expect-error without elapsedMs, durations would be taken from a clock that may jump
  const wallClockOnly: Clock = { nowMs: () => 0, wakeAfter: clock.wakeAfter };
  void [cancel, wallClockOnly];
}
