import { BrowserSessionParams, SignInQuery } from '../../../schemas/compiled/validators.js';
import { fail } from '../../base/errors.js';
import { MANAGE_KEYS } from '../../domain/actions.js';
import type { Caller } from '../../domain/caller.js';
import type { Needs } from '../../services/context.js';
import { missingPermissions } from '../../store/access/key-scopes.js';
import { sessionJson, type SignIn, type SignInStep } from '../../services/access/sign-in.js';
import { originOf } from '../access/audited.js';
import { requestFacts } from '../access/request-facts.js';
import { defineRoute, jsonReply, type Reply } from '../route.js';

// Sign-in of people with an identity provider. Threadmill's own; the Agent Server does not have them.

/** The responses concern one browser at one moment. */
const NO_STORE = { 'cache-control': 'no-store' };

const beginSignInRoute = defineRoute({
  method: 'get',
  path: '/server/sign-in',
  action: 'public',
  crossSite: 'never',
  summary: 'Send a browser to the identity provider',
  query: SignInQuery,
  schemas: { query: 'SignInQuery' },
  handle: async ({ headers, query, exchange }, services) =>
    redirect(await requireSignIn(services).begin(headers, query.to ?? null, originOf(exchange))),
});

const finishSignInRoute = defineRoute({
  method: 'get',
  path: '/server/sign-in/callback',
  action: 'public',
  crossSite: 'never',
  summary: 'Receive a browser that comes back from the identity provider',
  handle: async ({ headers, exchange }, services) =>
    redirect(await requireSignIn(services).finish(headers, exchange.query, originOf(exchange))),
});

const signOutRoute = defineRoute({
  method: 'post',
  path: '/server/sign-out',
  action: 'public',
  crossSite: 'never',
  summary: 'End the session of the browser that sends this',
  async handle({ headers, exchange }, services) {
    const cookies = await requireSignIn(services).signOut(exchange.method, headers, originOf(exchange));
    return { status: 204, body: '', headers: { 'set-cookie': cookies, ...NO_STORE } };
  },
});

const getSessionRoute = defineRoute({
  method: 'get',
  path: '/server/session',
  action: 'public',
  crossSite: 'never',
  summary: 'Show how people sign in, and who sends this request',
  handle({ exchange }, services) {
    const { access, signIn } = services;
    const caller = access.identify(requestFacts(exchange));
    const provider = signIn === null ? null : { provider: signIn.providerName };
    return jsonReply(JSON.stringify({ sign_in: provider, caller: callerJson(caller, services) }), NO_STORE);
  },
});

const listSessionsRoute = defineRoute({
  method: 'get',
  path: '/server/sessions',
  action: MANAGE_KEYS,
  summary: 'List the sessions of the people who signed in',
  handle: (_context, services) =>
    jsonReply(JSON.stringify(services.signIn?.sessions().map(sessionJson) ?? []), NO_STORE),
});

const endSessionRoute = defineRoute({
  method: 'delete',
  path: '/server/sessions/:session',
  action: MANAGE_KEYS,
  summary: 'End the session of a person, and its requests at once',
  params: BrowserSessionParams,
  schemas: { params: 'BrowserSessionParams' },
  async handle({ params, caller }, { signIn }) {
    // It would end this request too, before its response.
    if (params.session === caller.sessionId) throw fail('SESSION_OWN', undefined);
    if (signIn === null || !(await signIn.end(params.session)))
      throw fail('SESSION_NOT_FOUND', { session: params.session });
    return { status: 204, body: '' };
  },
});

export const signInRoutes = [
  beginSignInRoute,
  finishSignInRoute,
  signOutRoute,
  getSessionRoute,
  listSessionsRoute,
  endSessionRoute,
];

/** Throws SIGN_IN_OFF. */
function requireSignIn({ signIn }: Needs<'signIn'>): SignIn {
  if (signIn === null) throw fail('SIGN_IN_OFF', undefined);
  return signIn;
}

function redirect({ location, cookies }: SignInStep): Reply {
  return { status: 302, body: '', headers: { location, 'set-cookie': cookies, ...NO_STORE } };
}

/** Null for a caller that is not known here, such as a user of the project's auth handler. */
function callerJson(caller: Caller | null, { signIn }: Needs<'signIn'>): object | null {
  if (caller === null) return null;
  const { displayName: name, permissions: scopes, sessionId, keyId } = caller;
  if (sessionId !== null) {
    const session = signIn?.sessions().find((one) => one.sessionId === sessionId);
    if (session === undefined) return null;
    return { kind: 'person', scopes, not_allowed: missingPermissions(scopes), ...sessionJson(session) };
  }
  return keyId === null ? { kind: 'anyone' } : { kind: 'key', name, scopes, not_allowed: missingPermissions(scopes) };
}
