import type { Person, SignInRules } from '../domain/sign-in.js';

/** Start data of the sign-in thread. */
export interface SignInWorkerData {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: readonly string[];
  rules: SignInRules;
}

/** What a browser and the provider prove to each other in one sign-in. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** Of PKCE. */
  codeVerifier: string;
}

export type SignInTask =
  | { type: 'begin'; redirectUrl: string }
  /** `callbackUrl`: the redirect URL with the query that the browser brought from the provider. */
  | { type: 'finish'; callbackUrl: string; secrets: SignInSecrets };

/**
 * `begun`: the address of the provider to send the browser to.
 * `unreachable`: the provider did not answer, or not as a provider does.
 * `cancelled`: the person or the provider ended the sign-in.
 * `invalid`: the provider's response does not prove who the person is.
 */
export type SignInResult =
  | { type: 'begun'; url: string; secrets: SignInSecrets }
  | { type: 'finished'; person: Person }
  | { type: 'unreachable' | 'cancelled' | 'invalid'; why: string };
