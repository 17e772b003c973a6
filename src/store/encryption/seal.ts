import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pooledRandomBytes } from '../../base/ids.js';
import { deserializeCaller, type Caller } from '../../domain/caller.js';
import { sealKeyFile } from '../files/data-file.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts callers in stored runs and crons: AES-256-GCM, bound to the record's id, with a key that is never in
 * the data file. The key comes from THREADMILL_SEAL_KEY, or from `seal.key` (mode 0600) beside the data file.
 */
export class Seal {
  /** Not the bytes: with those, Node 24 throws and catches an error in each call, which takes 18 µs. */
  readonly #key: KeyObject;

  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  seal(caller: Caller, id: string): Uint8Array {
    return this.#seal(JSON.stringify(caller), id);
  }

  /**
   * Null when the key is another one or the bytes were changed. Such a run or cron must not continue without a
   * caller.
   */
  open(sealed: Uint8Array, id: string): Caller | null {
    const text = this.#open(sealed, id);
    return text === null ? null : deserializeCaller(JSON.parse(text));
  }

  /** Seals text that a client keeps. The client can neither read nor change it, nor use it for another purpose. */
  sealText(text: string, use: string): string {
    return this.#seal(text, use).toString('base64url');
  }

  /** Null when this server did not seal it for this purpose. */
  openText(sealed: string, use: string): string | null {
    return this.#open(Buffer.from(sealed, 'base64url'), use);
  }

  /** An HMAC of 32 bytes over the text, bound to this purpose. */
  hmac(text: string, use: string): Buffer {
    return createHmac('sha256', this.#key).update(`${use}\0${text}`).digest();
  }

  #seal(text: string, use: string): Buffer {
    const nonce = pooledRandomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(use));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  #open(sealed: Uint8Array, use: string): string | null {
    try {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(use))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    } catch {
      return null;
    }
  }
}

/** The key that a text such as THREADMILL_SEAL_KEY stands for. */
export function sealKeyOfText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The key of a folder: of the text in the environment, or of `seal.key`. Null without either. */
export function findSealKey(folder: string, keyText: string | undefined): Buffer | null {
  if (keyText) return sealKeyOfText(keyText);
  const file = sealKeyFile(folder);
  return existsSync(file) ? Buffer.from(readFileSync(file, 'utf8').trim(), 'hex') : null;
}

/** The same, but creates `seal.key` where there is no key. */
export function openSealKey(folder: string, keyText: string | undefined): Buffer {
  const found = findSealKey(folder, keyText);
  if (found !== null) return found;
  const created = randomBytes(32);
  writeSealKey(folder, created);
  return created;
}

/** Writes `seal.key`. Throws when the file exists. */
export function writeSealKey(folder: string, key: Buffer): void {
  writeFileSync(sealKeyFile(folder), key.toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
}
