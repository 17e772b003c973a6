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
/** Bytes that encryption adds to a value. */
export const CIPHER_OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES;

const PREFIX_BYTES = 8;
const COUNTER_MAX = 0xffff_ffff;

/** Kinds of keys (keys.ts) whose second part is a metadata leaf or a name. These are only compared for equality. */
const HASHED_KINDS: ReadonlySet<unknown> = new Set(['ti', 'tc', 'ai', 'ci', 'DM', 'SM', 'DN', 'SN']);
/** Leaves without metadata: all records, overflow, status, graph. */
const PLAIN_LEAF = /^[*+?]/;
/** Prefix of hashed parts. No leaf or name begins with it: names that begin with `#` are hashed, without `~`. */
const HASHED_PREFIX = '#~';
const HASH_BYTES = 18;
const CACHED_HASHES_MAX = 8_192;

/**
 * Derives the keys of a folder, and the bytes by which a wrong secret is recognized. `salt` is random, a new one for
 * each folder and rotation.
 */
export function deriveKeys(secret: Uint8Array, salt: Uint8Array): CipherKeys & { check: Buffer } {
  const derived = (use: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, `threadmill ${use} 1`, bytes));
  return { values: derived('values', 32), names: derived('names', 32), check: derived('check', 16) };
}

/**
 * Encrypts the values of records with AES-256-GCM. The record's key is authenticated data, so a value that was moved to
 * another key does not decrypt. Empty values and the records of the folder itself (`['!', …]`) are not encrypted.
 */
export class RecordCipher {
  readonly keys: CipherKeys;
  readonly #values: KeyObject;
  readonly #names: KeyObject;
  readonly #hashes = new Map<string, string>();
  readonly #nonce = Buffer.alloc(NONCE_BYTES);
  #count = COUNTER_MAX;

  constructor(keys: CipherKeys) {
    this.keys = { values: keys.values, names: keys.names };
    this.#values = createSecretKey(keys.values);
    this.#names = createSecretKey(keys.names);
  }

  /** For worker threads, which receive the keys of an encrypted folder. */
  static of(keys: CipherKeys | null): RecordCipher | null {
    return keys === null ? null : new RecordCipher(keys);
  }

  /** The key under which a record is stored. A stored key is returned unchanged. */
  storedKey(key: Key): Key {
    const [kind, name] = key;
    if (!HASHED_KINDS.has(kind) || typeof name !== 'string' || isHashed(name)) return key;
    if (PLAIN_LEAF.test(name) && kind !== 'DN' && kind !== 'SN') return key;
    return [kind!, this.#hashName(name), ...key.slice(2)];
  }

  /** `key` is in LMDB's encoding. */
  encrypt(key: Uint8Array, value: Uint8Array): Uint8Array {
    if (isUnencrypted(key, value)) return value;
    const nonce = this.#nextNonce();
    const cipher = createCipheriv('aes-256-gcm', this.#values, nonce).setAAD(key);
    const stored = Buffer.allocUnsafe(CIPHER_OVERHEAD_BYTES + value.byteLength);
    nonce.copy(stored, 0);
    cipher.update(value).copy(stored, CIPHER_OVERHEAD_BYTES);
    cipher.final();
    cipher.getAuthTag().copy(stored, NONCE_BYTES);
    return stored;
  }

  /** Null when the value was not encrypted with this key for this record. */
  decrypt(key: Uint8Array, stored: Uint8Array): Uint8Array | null {
    if (isUnencrypted(key, stored)) return stored;
    if (stored.byteLength < CIPHER_OVERHEAD_BYTES) return null;
    try {
      const nonce = stored.subarray(0, NONCE_BYTES);
      const tag = stored.subarray(NONCE_BYTES, CIPHER_OVERHEAD_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', this.#values, nonce, { authTagLength: TAG_BYTES })
        .setAAD(key)
        .setAuthTag(tag);
      const value = decipher.update(stored.subarray(CIPHER_OVERHEAD_BYTES));
      decipher.final();
      return value;
    } catch {
      return null;
    }
  }

  /**
   * Eight random bytes and a counter. Entirely random nonces could repeat after 2^32 values under one key, which a busy
   * server writes in days. Every thread draws new random bytes at every start.
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

  #hashName(name: string): string {
    let hash = this.#hashes.get(name);
    if (hash === undefined) {
      hash =
        HASHED_PREFIX +
        createHmac('sha256', this.#names).update(name).digest().subarray(0, HASH_BYTES).toString('base64url');
      if (this.#hashes.size >= CACHED_HASHES_MAX) this.#hashes.clear();
      this.#hashes.set(name, hash);
    }
    return hash;
  }
}

/** True for records that are stored unencrypted. The first part of a key ends at a zero byte. */
function isUnencrypted(key: Uint8Array, value: Uint8Array): boolean {
  return value.byteLength === 0 || (key[0] === 0x21 && key[1] === 0);
}

/** True if this part of a stored key is a keyed hash. */
export function isHashed(part: unknown): boolean {
  return typeof part === 'string' && part.startsWith(HASHED_PREFIX);
}

/** True if stored keys of this kind depend on the encryption key, so that their order changes with it. */
export function isHashedKind(kind: unknown): boolean {
  return HASHED_KINDS.has(kind);
}
