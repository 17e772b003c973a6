import { useSyncExternalStore } from 'react';
import { session } from '../api/session.js';
import { lazyPart } from '../components/lazy-component.js';

const Authentication = lazyPart(async () => (await import('./authentication.js')).Authentication);

/** Covers the page until the server accepts a credential, or the session of a person who signed in. */
export function CredentialDialog() {
  const message = useSyncExternalStore(session.subscribe, () => session.unauthorizedMessage);
  return message === null ? null : <Authentication message={message} />;
}
