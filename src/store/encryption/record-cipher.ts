import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import type { CipherKeys } from '../../base/cipher-keys.js';
import type { Key } from '../keys.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What encryption adds to a value. */
export const CIPHER_BYTES = NONCE_BYTES + TAG_BYTES;

const PREFIX_BYTES = 8;
const COUNTER_MAX = 0xffff_ffff;

/** Kinds of keys (keys.ts) whose second part is a metadata leaf or a name, of which only equality is asked. */
const HASHED_KINDS: ReadonlySet<unknown> = new Set(['ti', 'tc', 'ai', 'ci', 'DM', 'SM', 'DN', 'SN']);
/** Leaves that hold no metadata: all records, those with too many leaves, status, graph. */
const OPEN_LEAF = /^[*+?]/;
/** No leaf and no name begins with it: names that begin with `#` stand in keys by their hash, which has no `~`. */
const HASHED = '#~';
const HASH_BYTES = 18;
const KNOWN_MAX = 8_192;

/** Derives the keys of a folder, and the bytes by which a wrong secret is recognized. `salt` is random, one for each folder and rotation. */
export function deriveKeys(secret: Uint8Array, salt: Uint8Array): CipherKeys & { check: Buffer } {
  const derived = (use: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, `threadmill ${use} 1`, bytes));
  return { values: derived('values', 32), names: derived('names', 32), check: derived('check', 16) };
}

/**
 * Encrypts the values of records with AES-256-GCM. The record's key is authenticated with the value, so a value that was moved
 * to another key does not decrypt. Empty values and the records of the folder itself (`['!', …]`) stay as they are.
 */
export class RecordCipher {
  readonly keys: CipherKeys;
  readonly #values: KeyObject;
  readonly #names: KeyObject;
  readonly #known = new Map<string, string>();
  readonly #nonce = Buffer.alloc(NONCE_BYTES);
  #count = COUNTER_MAX;

  constructor(keys: CipherKeys) {
    this.keys = { values: keys.values, names: keys.names };
    this.#values = createSecretKey(keys.values);
    this.#names = createSecretKey(keys.names);
  }

  /** For threads of ours, which are given the keys of a folder that is encrypted. */
  static of(keys: CipherKeys | null): RecordCipher | null {
    return keys === null ? null : new RecordCipher(keys);
  }

  /** The key under which a record is stored. A key that was read from the store is returned as it is. */
  storedKey(key: Key): Key {
    const [kind, name] = key;
    if (!HASHED_KINDS.has(kind) || typeof name !== 'string' || isHashed(name)) return key;
    if (OPEN_LEAF.test(name) && kind !== 'DN' && kind !== 'SN') return key;
    return [kind!, this.#hashOf(name), ...key.slice(2)];
  }

  /** `key`: as LMDB has it. */
  encrypt(key: Uint8Array, value: Uint8Array): Uint8Array {
    if (isOpen(key, value)) return value;
    const nonce = this.#nextNonce();
    const cipher = createCipheriv('aes-256-gcm', this.#values, nonce).setAAD(key);
    const stored = Buffer.allocUnsafe(CIPHER_BYTES + value.byteLength);
    nonce.copy(stored, 0);
    cipher.update(value).copy(stored, CIPHER_BYTES);
    cipher.final();
    cipher.getAuthTag().copy(stored, NONCE_BYTES);
    return stored;
  }

  /** Null when the value was not encrypted with this key for this record. */
  decrypt(key: Uint8Array, stored: Uint8Array): Uint8Array | null {
    if (isOpen(key, stored)) return stored;
    if (stored.byteLength < CIPHER_BYTES) return null;
    try {
      const nonce = stored.subarray(0, NONCE_BYTES);
      const tag = stored.subarray(NONCE_BYTES, CIPHER_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', this.#values, nonce, { authTagLength: TAG_BYTES })
        .setAAD(key)
        .setAuthTag(tag);
      const value = decipher.update(stored.subarray(CIPHER_BYTES));
      decipher.final();
      return value;
    } catch {
      return null;
    }
  }

  /**
   * Eight random bytes and a counter: 2^32 random nonces under one key would be too many to be sure that no two are equal, and a
   * busy server writes them in days. Every thread and every start draws its own random bytes.
   */
  #nextNonce(): Buffer {
    if (this.#count === COUNTER_MAX) {
      randomBytes(PREFIX_BYTES).copy(this.#nonce);
      this.#count = 0;
    }
    this.#nonce.writeUInt32BE(this.#count, PREFIX_BYTES);
    this.#count += 1;
    return this.#nonce;
  }

  #hashOf(name: string): string {
    let hash = this.#known.get(name);
    if (hash === undefined) {
      hash =
        HASHED + createHmac('sha256', this.#names).update(name).digest().subarray(0, HASH_BYTES).toString('base64url');
      if (this.#known.size >= KNOWN_MAX) this.#known.clear();
      this.#known.set(name, hash);
    }
    return hash;
  }
}

/** True for what is stored unencrypted. A key's first part ends where a zero stands. */
function isOpen(key: Uint8Array, value: Uint8Array): boolean {
  return value.byteLength === 0 || (key[0] === 0x21 && key[1] === 0);
}

/** Whether this part of a stored key is a keyed hash. */
export function isHashed(part: unknown): boolean {
  return typeof part === 'string' && part.startsWith(HASHED);
}

/** Whether the stored key of this kind depends on the encryption key: such keys change their order when it changes. */
export function isHashedKind(kind: unknown): boolean {
  return HASHED_KINDS.has(kind);
}
