import { timingSafeEqual } from 'node:crypto';
import { unpack } from '../../wire/codec.js';
import { keys } from '../keys.js';
import type { Reader } from '../reader.js';
import { readEnvKeys, type EnvKey } from './env-keys.js';
import { hashKey, isValid, parseKeyId, toApiKey, type ApiKey, type KeyRecord } from './key-files.js';

/**
 * API keys at a node of a cluster that is not the owner, for the few requests that it answers itself. They are as new
 * as its copy of the data, and a use is not recorded.
 */
export class CopiedKeys {
  readonly #reader: () => Reader;
  readonly #envKeys: readonly EnvKey[];
  readonly #isHandled: boolean;

  /** `isHandled`: the project has an auth handler, so nobody has access without a key. Throws CONFIG_INVALID. */
  constructor(reader: () => Reader, envKeys: string | undefined, { isHandled }: { isHandled: boolean }) {
    this.#reader = reader;
    this.#envKeys = readEnvKeys(envKeys, Date.now());
    this.#isHandled = isHandled;
  }

  get required(): boolean {
    return this.#isHandled || this.#envKeys.length > 0 || this.#reader().count({ prefix: keys.apiKeys() }) > 0;
  }

  /** The key with this text, if it is valid now. */
  check(text: string): ApiKey | null {
    const hash = hashKey(text);
    for (const { key, hash: expected } of this.#envKeys) if (timingSafeEqual(hash, expected)) return key;
    const record = this.#find(parseKeyId(text));
    if (record === null || !timingSafeEqual(hash, Buffer.from(record.hash, 'hex'))) return null;
    return isValid(record, Date.now()) ? toApiKey(record, null) : null;
  }

  isKeyValid(keyId: string): boolean {
    const record = this.#find(keyId);
    return (record !== null && isValid(record, Date.now())) || this.#envKeys.some(({ key }) => key.keyId === keyId);
  }

  /** No request of this node lasts, so none has to be ended with its key. */
  onEnded(): void {}

  #find(keyId: string | null): KeyRecord | null {
    const value = keyId === null ? undefined : this.#reader().get(keys.apiKey(keyId));
    return value === undefined ? null : unpack<KeyRecord>(value);
  }
}
