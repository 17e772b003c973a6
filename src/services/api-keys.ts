import type { Caller } from '../base/caller.js';
import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { ApiKeys } from '../store/api-keys.js';
import { isValid, type ApiKey } from '../store/key-files.js';
import { ALL_SCOPES } from '../store/key-scopes.js';

export interface WantedKey {
  name: string;
  scopes: readonly string[];
  expiresAtMs: number | null;
}

/**
 * Makes a key for a caller that may do so. Throws KEY_SCOPE where it would have a scope that the caller's own key has not,
 * KEYS_TOO_MANY, INVALID_REQUEST and KEY_NAME_TAKEN.
 */
export function makeKey(keys: ApiKeys, caller: Caller, wanted: WantedKey): { key: ApiKey; text: string } {
  const own = caller.keyId === null ? ALL_SCOPES : keys.scopesOf(caller.keyId);
  const more = wanted.scopes.find((scope) => !own.includes('*') && !own.includes(scope));
  if (more !== undefined) throw fail('KEY_SCOPE', { action: more === '*' ? 'everything' : more });
  // Files of keys are read as a whole, on the front.
  if (keys.count >= LIMITS.keysOverHttpMax) throw fail('KEYS_TOO_MANY', { keys: LIMITS.keysOverHttpMax });
  return keys.create(wanted);
}

export function stateOf(key: ApiKey, nowMs: number): 'valid' | 'expired' | 'revoked' {
  if (key.revokedAtMs !== null) return 'revoked';
  return isValid(key, nowMs) ? 'valid' : 'expired';
}

/** As the command line and the API show it. */
export function keyJson(key: ApiKey, nowMs: number): Record<string, unknown> {
  const time = (timeMs: number | null): string | null => (timeMs === null ? null : new Date(timeMs).toISOString());
  return {
    key_id: key.keyId,
    name: key.name,
    scopes: key.scopes,
    created_at: time(key.createdAtMs),
    expires_at: time(key.expiresAtMs),
    revoked_at: time(key.revokedAtMs),
    last_used_at: time(key.lastUsedAtMs),
    state: stateOf(key, nowMs),
  };
}
