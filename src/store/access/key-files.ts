import { createHash, randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, type ThreadmillError } from '../../base/errors.js';
import { isObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { ALL_SCOPES, isScope, SCOPES_TEXT } from './key-scopes.js';

// Each key is a small file (docs/decisions/0014). The command line writes them, whether a server runs or not.

/** Public part of a key, without its text or hash. */
export interface ApiKey {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly lastUsedAtMs: number | null;
}

/** Content of a key file. Files of revoked keys stay, so that the folder still shows that keys were created. */
export interface KeyRecord extends Omit<ApiKey, 'lastUsedAtMs'> {
  /** SHA-256 of the whole key text, as hex. A fast hash is enough, since 256 random bits cannot be guessed. */
  readonly hash: string;
}

const KEY_ID = /^[0-9a-f]{10}$/;
const KEY_TEXT = /^tm_([0-9a-f]{10})_[\w-]{43}$/;
const HASH = /^[0-9a-f]{64}$/;
const FILE_SUFFIX = '.json';
const TEMPORARY_SUFFIX = '.tmp';

export function keysFolder(dataFolder: string): string {
  return join(dataFolder, 'keys');
}

/** The id within a key's text; null when the text does not have the form of a key. */
export function parseKeyId(text: string): string | null {
  return KEY_TEXT.exec(text)?.[1] ?? null;
}

export function hashKey(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** True if the key is neither expired nor revoked. */
export function isValid(
  { expiresAtMs, revokedAtMs }: Pick<ApiKey, 'expiresAtMs' | 'revokedAtMs'>,
  nowMs: number,
): boolean {
  return revokedAtMs === null && (expiresAtMs === null || nowMs < expiresAtMs);
}

export function toApiKey({ hash: _, ...rest }: KeyRecord, lastUsedAtMs: number | null): ApiKey {
  return { ...rest, lastUsedAtMs };
}

// --- reads ---

export function isKeyFile(name: string): boolean {
  return name.endsWith(FILE_SUFFIX) && !name.startsWith('.');
}

export function keyFileNameOf(keyId: string): string {
  return `${keyId}${FILE_SUFFIX}`;
}

/** Names of the key files, damaged ones included; empty without the folder. Throws when the folder cannot be read. */
export function keyFileNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isKeyFile);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Changes whenever the file changes, because every change of a key replaces its file. */
export function fileVersion(file: string): string {
  const { ino, ctimeMs, size } = statSync(file);
  return `${ino} ${ctimeMs} ${size}`;
}

/** Throws STORE_FILE_DAMAGED when the file is not a key, and the system's error when it cannot be read. */
export function readKeyFile(folder: string, name: string): KeyRecord {
  const file = join(folder, name);
  const damaged = (problem: string): ThreadmillError => fail('STORE_FILE_DAMAGED', { file, problem });
  const stat = statSync(file);
  // Reading a pipe would block the server forever.
  if (!stat.isFile()) throw damaged('it is not a regular file');
  if (stat.size > LIMITS.keyFileBytesMax) throw damaged('it is too large for a key');
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // The parser's message would quote the content.
    throw error instanceof SyntaxError ? damaged('it is not JSON') : error;
  }
  if (!isKeyRecord(found)) throw damaged('it is not a key');
  if (keyFileNameOf(found.keyId) !== name) throw damaged('it is the key of another file');
  const { keyId, name: keyName, hash, createdAtMs, expiresAtMs, revokedAtMs, scopes } = found;
  return { keyId, name: keyName, hash, createdAtMs, expiresAtMs, revokedAtMs, scopes };
}

function isKeyRecord(value: unknown): value is KeyRecord {
  if (!isObject(value)) return false;
  const { keyId, name, hash, createdAtMs, expiresAtMs, revokedAtMs, scopes } = value;
  return (
    typeof keyId === 'string' &&
    KEY_ID.test(keyId) &&
    typeof name === 'string' &&
    typeof hash === 'string' &&
    HASH.test(hash) &&
    Number.isSafeInteger(createdAtMs) &&
    (expiresAtMs === null || Number.isSafeInteger(expiresAtMs)) &&
    (revokedAtMs === null || Number.isSafeInteger(revokedAtMs)) &&
    Array.isArray(scopes) &&
    scopes.every((scope) => typeof scope === 'string')
  );
}

/** A file whose modification time is the key's last use. Frequent writes must not endanger the key file itself. */
export function lastUsedFile(folder: string, keyId: string): string {
  return join(folder, `${keyId}.used`);
}

/** Null when the key was never used, or when that is unknown: the time is only informative. */
export function readLastUsed(folder: string, keyId: string): number | null {
  try {
    return Math.round(statSync(lastUsedFile(folder, keyId)).mtimeMs);
  } catch {
    return null;
  }
}

export function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

// --- for the command line, on the folder alone ---

export interface NewKey {
  name: string;
  scopes?: readonly string[];
  expiresAtMs?: number | null;
}

/** Creates a key. Only the result contains its text. Throws INVALID_REQUEST with the problem, or KEY_NAME_TAKEN. */
export function createKey(
  dataFolder: string,
  { name, scopes = ALL_SCOPES, expiresAtMs = null }: NewKey,
  nowMs: number = Date.now(),
): { key: ApiKey; text: string } {
  if (!isName(name))
    throw fail('INVALID_REQUEST', {
      problems: `name: must be 1 to ${LIMITS.keyNameCharsMax} printable characters, with no space at either end`,
    });
  for (const scope of scopes)
    if (!isScope(scope))
      throw fail('INVALID_REQUEST', { problems: `scope: "${scope}" does not exist. A scope is ${SCOPES_TEXT}` });
  if (scopes.length === 0) throw fail('INVALID_REQUEST', { problems: 'scope: at least one scope is required' });
  if (expiresAtMs !== null && !(Number.isSafeInteger(expiresAtMs) && expiresAtMs > nowMs))
    throw fail('INVALID_REQUEST', { problems: 'expires: must be in the future' });

  const folder = keysFolder(dataFolder);
  makeKeysFolder(folder);
  removeOldTemporaryFiles(folder);
  const taken = readRecords(folder).find((one) => one.name === name && isValid(one, nowMs));
  if (taken !== undefined) throw fail('KEY_NAME_TAKEN', { name, keyId: taken.keyId });

  let keyId: string;
  do keyId = randomBytes(5).toString('hex');
  while (existsSync(join(folder, keyFileNameOf(keyId))));
  const text = `tm_${keyId}_${randomBytes(32).toString('base64url')}`;
  const record: KeyRecord = {
    keyId,
    name,
    hash: hashKey(text).toString('hex'),
    createdAtMs: nowMs,
    expiresAtMs,
    revokedAtMs: null,
    scopes: [...new Set(scopes)],
  };
  writeKeyFile(folder, record);
  return { key: toApiKey(record, null), text };
}

/** Every key in the folder, oldest first. Unreadable files are reported to `onProblem` and left out. */
export function listKeys(dataFolder: string, onProblem: (text: string) => void = () => undefined): ApiKey[] {
  const folder = keysFolder(dataFolder);
  return readRecords(folder, onProblem)
    .map((record) => toApiKey(record, readLastUsed(folder, record.keyId)))
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs || (a.keyId < b.keyId ? -1 : 1));
}

/**
 * Revokes a key by its id, or by the name of a key that is not revoked. Of several with that name, a valid one is
 * preferred to expired ones. A revoked key is left unchanged. Throws KEY_NOT_FOUND, KEY_AMBIGUOUS when several
 * keys have the name, or STORE_FILE_DAMAGED when the file of that id is not a key.
 */
export function revokeKey(dataFolder: string, idOrName: string, nowMs: number = Date.now()): ApiKey {
  const folder = keysFolder(dataFolder);
  const record = findById(folder, idOrName) ?? findByName(folder, idOrName, nowMs);
  if (record === undefined) throw fail('KEY_NOT_FOUND', { key: idOrName });
  const revoked = record.revokedAtMs === null ? { ...record, revokedAtMs: nowMs } : record;
  if (revoked !== record) writeKeyFile(folder, revoked);
  return toApiKey(revoked, readLastUsed(folder, revoked.keyId));
}

function findById(folder: string, keyId: string): KeyRecord | undefined {
  return KEY_ID.test(keyId) && existsSync(join(folder, keyFileNameOf(keyId)))
    ? readKeyFile(folder, keyFileNameOf(keyId))
    : undefined;
}

function findByName(folder: string, name: string, nowMs: number): KeyRecord | undefined {
  const named = readRecords(folder).filter((one) => one.name === name && one.revokedAtMs === null);
  const valid = named.filter((one) => isValid(one, nowMs));
  const found = valid.length > 0 ? valid : named;
  // Two commands at the same time may both have used the name.
  if (found.length > 1) throw fail('KEY_AMBIGUOUS', { name, keyIds: found.map(({ keyId }) => keyId).join(', ') });
  return found[0];
}

function readRecords(folder: string, onProblem: (text: string) => void = () => undefined): KeyRecord[] {
  return keyFileNames(folder).flatMap((name) => {
    try {
      return [readKeyFile(folder, name)];
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') onProblem((error as Error).message);
      return [];
    }
  });
}

/** Only characters that a terminal shows: no control or format characters, and no spaces except the plain one. */
function isName(name: string): boolean {
  return (
    /^(?! )[^\p{C}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]+(?<! )$/u.test(name) &&
    name.length <= LIMITS.keyNameCharsMax
  );
}

// --- writes ---

/** Writes atomically, also in a crash: a temporary file is renamed to the key file once it is on disk. */
export function writeKeyFile(folder: string, record: KeyRecord): void {
  const file = join(folder, keyFileNameOf(record.keyId));
  const temporary = `${file}.${randomBytes(6).toString('hex')}${TEMPORARY_SUFFIX}`;
  try {
    const fd = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(fd, `${JSON.stringify(record)}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    giveToOwnerOf(folder, temporary);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/** Creates the folder. Only its owner may read it. */
export function makeKeysFolder(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    throw error;
  }
  giveToOwnerOf(dirname(folder), folder);
  syncFolder(dirname(folder));
}

/** Commands often run as root (`docker exec`) but servers do not. Without this, the server could not read the key. */
function giveToOwnerOf(folder: string, made: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(made, uid, gid);
}

/** Flushes the folder, which puts its file names on disk. */
function syncFolder(folder: string): void {
  // Windows cannot open folders; its file systems write names through.
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Removes temporary files of killed commands, whose keys were never shown. Those of running commands are younger. */
function removeOldTemporaryFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(TEMPORARY_SUFFIX)) continue;
    const file = join(folder, name);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > LIMITS.keyTemporaryFileMs) rmSync(file, { force: true });
  }
}
