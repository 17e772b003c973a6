import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { ApiKeys } from '../../store/access/api-keys.js';
import { isValid, type ApiKey } from '../../store/access/key-files.js';
import { ALL_SCOPES, covers } from '../../store/access/key-scopes.js';

export interface NewKey {
  name: string;
  scopes: readonly string[];
  expiresAtMs: number | null;
}

/**
 * Creates a key on behalf of a caller. Throws KEY_SCOPE if the key would be allowed more than the caller's own,
 * KEY_OUTLIVES if it would expire later, KEYS_TOO_MANY, INVALID_REQUEST and KEY_NAME_TAKEN.
 */
export async function createKey(keys: ApiKeys, caller: Caller, wanted: NewKey): Promise<{ key: ApiKey; text: string }> {
  checkScopes(keys, caller, wanted.scopes);
  const ownEndMs = caller.keyId === null ? null : (keys.find(caller.keyId)?.expiresAtMs ?? null);
  if (ownEndMs !== null && (wanted.expiresAtMs === null || wanted.expiresAtMs > ownEndMs)) {
    throw fail('KEY_OUTLIVES', { expiresAt: new Date(ownEndMs).toISOString() });
  }
  // Key files are read completely, on the front thread.
  if (keys.count >= LIMITS.keysOverHttpMax) throw fail('KEYS_TOO_MANY', { keys: LIMITS.keysOverHttpMax });
  return keys.create(wanted);
}

/**
 * Revokes a key on behalf of a caller. Throws KEY_SCOPE if the key is allowed more than the caller's own,
 * KEY_NOT_FOUND, KEY_OF_ENVIRONMENT.
 */
export async function revokeKey(keys: ApiKeys, caller: Caller, keyId: string): Promise<ApiKey> {
  const found = keys.find(keyId);
  if (found !== null) checkScopes(keys, caller, found.scopes);
  return keys.revoke(keyId);
}

/** Throws KEY_SCOPE unless the caller's own scopes cover all these. */
function checkScopes(keys: ApiKeys, { authenticated, keyId, permissions }: Caller, scopes: readonly string[]): void {
  const ended = keyId !== null && !keys.isKeyValid(keyId);
  const own = !authenticated ? ALL_SCOPES : ended ? [] : permissions;
  const more = scopes.find((scope) => !covers(own, scope));
  if (more !== undefined) throw fail('KEY_SCOPE', { action: more === '*' ? 'everything' : more });
}

export function keyState(key: ApiKey, nowMs: number): 'valid' | 'expired' | 'revoked' {
  if (key.revokedAtMs !== null) return 'revoked';
  return isValid(key, nowMs) ? 'valid' : 'expired';
}

/** A key as the CLI and the API show it. */
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
    state: keyState(key, nowMs),
  };
}
