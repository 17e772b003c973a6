import { timingSafeEqual } from 'node:crypto';
import { fail, type ThreadmillError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { hashKey, type ApiKey } from './key-files.js';
import { ALL_SCOPES } from './key-scopes.js';

const VARIABLE = 'THREADMILL_API_KEYS';

export interface EnvKey {
  readonly key: ApiKey;
  readonly hash: Buffer;
}

/**
 * Keys from the environment, for containers: `name=text,name2=text2`, or texts without names. Throws
 * CONFIG_INVALID. The error identifies an entry by its number, because its "name" may be part of a secret that
 * was split wrongly.
 */
export function readEnvKeys(value: string | undefined, nowMs: number): EnvKey[] {
  if (value === undefined) return [];
  const problem = (text: string): ThreadmillError => fail('CONFIG_INVALID', { file: VARIABLE, problem: text });
  const entries = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  // Most likely a missing secret. Without this error the server would need no authentication.
  if (entries.length === 0) throw problem('is set but contains no key. Unset it, or add a key.');
  const keys: EnvKey[] = [];
  for (const [at, entry] of entries.entries()) {
    const place = entries.length === 1 ? 'the key' : `key ${at + 1}`;
    // A text with equals signs only at its end is base64 without a name.
    const [, name = `env-${at + 1}`, text = entry] = /^([^=]*)=(.*[^=].*)$/.exec(entry) ?? [];
    if (!/^[\w.-]{1,100}$/.test(name))
      throw problem(`the name of ${place} must be 1 to 100 letters, digits, or any of . _ -`);
    // Other characters cannot be sent in a header.
    if (!/^[!-~]*$/.test(text)) throw problem(`${place} must be visible ASCII characters only, without spaces.`);
    if (text.length < LIMITS.envKeyCharsMin)
      throw problem(
        `${place} must have at least ${LIMITS.envKeyCharsMin} characters. Make one with: openssl rand -hex 32`,
      );
    const hash = hashKey(text);
    for (const [other, one] of keys.entries()) {
      if (one.key.name === name) throw problem(`keys ${other + 1} and ${at + 1} have the same name.`);
      if (timingSafeEqual(one.hash, hash)) throw problem(`keys ${other + 1} and ${at + 1} are the same.`);
    }
    keys.push({
      key: {
        keyId: `env:${name}`,
        name,
        scopes: ALL_SCOPES,
        createdAtMs: nowMs,
        expiresAtMs: null,
        revokedAtMs: null,
        lastUsedAtMs: null,
      },
      hash,
    });
  }
  return keys;
}
