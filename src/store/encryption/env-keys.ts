import { timingSafeEqual } from 'node:crypto';
import { fail, type ThreadmillError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { hashOf, type ApiKey } from '../access/key-files.js';
import { ALL_SCOPES } from '../access/key-scopes.js';

const VARIABLE = 'THREADMILL_API_KEYS';

export interface EnvKey {
  readonly key: ApiKey;
  readonly hash: Buffer;
}

/**
 * Keys from the environment, for containers: `name=text,name2=text2`, or texts without names. Throws CONFIG_INVALID,
 * which tells an entry by its number: a name may be the beginning of a text that was split in the wrong place.
 */
export function readEnvKeys(value: string | undefined, nowMs: number): EnvKey[] {
  if (value === undefined) return [];
  const problem = (text: string): ThreadmillError => fail('CONFIG_INVALID', { file: VARIABLE, problem: text });
  const entries = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  // Most likely a secret that was not filled in: going on would serve everyone.
  if (entries.length === 0) throw problem('is set, but has no key in it. Unset it, or give a key.');
  const keys: EnvKey[] = [];
  for (const [at, entry] of entries.entries()) {
    const place = entries.length === 1 ? 'the key' : `key ${at + 1}`;
    // Only equals signs after the first one are the end of a base64 text.
    const [, name = `env-${at + 1}`, text = entry] = /^([^=]*)=(.*[^=].*)$/.exec(entry) ?? [];
    if (!/^[\w.-]{1,100}$/.test(name))
      throw problem(`the name of ${place} must be 1 to 100 letters, digits, or any of . _ -`);
    // What else a key might hold does not survive a header.
    if (!/^[!-~]*$/.test(text)) throw problem(`${place} must be visible ASCII characters only, without spaces.`);
    if (text.length < LIMITS.envKeyCharsMin)
      throw problem(
        `${place} must have at least ${LIMITS.envKeyCharsMin} characters. Make one with: openssl rand -hex 32`,
      );
    const hash = hashOf(text);
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
