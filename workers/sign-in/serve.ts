/**
 * Entry point of the sign-in thread: everything that is exchanged with the identity provider. The library checks state,
 * nonce, issuer, audience, times and the signature of the ID token (docs/decisions/0074-sign-in.md).
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
} from 'openid-client';
import type { JsonObject } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { lacksClaims, personOf } from '../../src/domain/sign-in.js';
import type { SignInResult, SignInSecrets, SignInTask, SignInWorkerData } from '../../src/wire/sign-in.js';
import { readWorkerData } from '../../src/wire/worker-data.js';
import { providerFetch, UnreachableError } from './provider-fetch.js';

const { issuer, clientId, clientSecret, scopes, rules } = readWorkerData<SignInWorkerData>();

/** What the provider says about itself, which is asked again after a while. */
let known: { provider: Promise<Configuration>; askedAtMs: number } | null = null;

export default async function work(task: SignInTask): Promise<SignInResult> {
  try {
    return task.type === 'begin' ? await begin(task.redirectUrl) : await finish(task.callbackUrl, task.secrets);
  } catch (error) {
    const type = findCause(error, UnreachableError) !== null ? 'unreachable' : 'invalid';
    return { type, why: explain(error) };
  }
}

async function begin(redirectUrl: string): Promise<SignInResult> {
  const provider = await findProvider();
  const secrets: SignInSecrets = {
    state: randomState(),
    nonce: randomNonce(),
    codeVerifier: randomPKCECodeVerifier(),
  };
  const { href } = buildAuthorizationUrl(provider, {
    redirect_uri: redirectUrl,
    scope: scopes.join(' '),
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: 'S256',
  });
  return { type: 'begun', url: href, secrets };
}

async function finish(callbackUrl: string, { state, nonce, codeVerifier }: SignInSecrets): Promise<SignInResult> {
  const provider = await findProvider();
  try {
    const tokens = await authorizationCodeGrant(provider, new URL(callbackUrl), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims()! as JsonObject;
    if (!lacksClaims(claims, rules) || provider.serverMetadata().userinfo_endpoint === undefined)
      return { type: 'finished', person: personOf(claims, rules.roleClaim) };
    const more = await fetchUserInfo(provider, tokens.access_token, String(claims['sub']));
    // What the signed token says comes first.
    return { type: 'finished', person: personOf({ ...more, ...claims }, rules.roleClaim) };
  } catch (error) {
    const refusal = findCause(error, AuthorizationResponseError);
    if (refusal?.error === 'access_denied') return { type: 'cancelled', why: explain(error) };
    throw error;
  }
}

/** Throws UnreachableError. */
async function findProvider(): Promise<Configuration> {
  if (known === null || Date.now() - known.askedAtMs > LIMITS.signInProviderMs)
    known = { provider: discover(), askedAtMs: Date.now() };
  const { provider } = known;
  try {
    return await provider;
  } catch (error) {
    if (known.provider === provider) known = null;
    throw error;
  }
}

async function discover(): Promise<Configuration> {
  const url = new URL(issuer);
  try {
    return await discovery(url, clientId, clientSecret, clientAuthentication, {
      execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
      timeout: LIMITS.signInRequestMs / 1_000,
      [customFetch]: providerFetch as CustomFetch,
    });
  } catch (error) {
    throw new UnreachableError(`its configuration cannot be read: ${explain(error)}`);
  }
}

/** The default of the standard is Basic, and some providers accept only the other way. */
const clientAuthentication: ClientAuth = (server, client, body, headers) => {
  const usesBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
  const authenticate = usesBody ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
  return authenticate(server, client, body, headers);
};

function findCause<T extends Error>(error: unknown, type: new (...parameters: never[]) => T): T | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof type) return one;
  return null;
}

/** The messages of an error and its causes, for the log. They contain no tokens. */
function explain(error: unknown): string {
  const messages: string[] = [];
  for (let one = error; one instanceof Error && messages.length < 4; one = one.cause)
    if (!messages.includes(one.message)) messages.push(one.message);
  return messages.length === 0 ? String(error) : messages.join(': ');
}
