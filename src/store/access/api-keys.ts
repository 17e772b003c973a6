import { timingSafeEqual } from 'node:crypto';
import { statSync, watch, type FSWatcher } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { readEnvKeys, type EnvKey } from './env-keys.js';
import {
  errorCode,
  createKey,
  hashKey,
  isKeyFile,
  isValid,
  keyFileNames,
  keyFileNameOf,
  parseKeyId,
  keysFolder,
  makeKeysFolder,
  fileVersion,
  toApiKey,
  readKeyFile,
  readLastUsed,
  revokeKey,
  lastUsedFile,
  type ApiKey,
  type KeyRecord,
  type NewKey,
} from './key-files.js';

export { createKey, listKeys, revokeKey, type ApiKey } from './key-files.js';
export { allows, type Permission } from './key-scopes.js';

/** A key file as it was last read. */
type KnownFile = { record: KeyRecord; hash: Buffer; mark: string } | { record: null; problem: string };

/** No key has this hash. Unknown ids are compared with it, so that they take as long as known ones. */
const NO_HASH = Buffer.alloc(32);

/** Temporary errors of the system, which do not concern the file. The known state then stays. */
const TEMPORARY_ERRORS = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR']);

/**
 * The API keys of a running server. The folder is the source of truth, and the command line changes it at any time.
 * Changes are applied at once through a watch, or within a second where watches are unreliable or missing.
 */
export class ApiKeys {
  readonly #folder: string;
  readonly #envKeys: readonly EnvKey[];
  readonly #nowMs: () => number;
  readonly #onProblem: (text: string) => void;
  /** Called with each key that this server creates or revokes, before it answers. */
  onChanged: (record: KeyRecord) => Promise<void> = () => Promise.resolve();
  readonly #onEndedCallbacks: ((keyIds: string[]) => void)[] = [];
  /** By file name. */
  #files = new Map<string, KnownFile>();
  /** Hashes by key id, for the keys that were valid at the last check. */
  #validHashes = new Map<string, string>();
  /** Last use of each key that was written to its file. */
  readonly #lastUseWrittenMs = new Map<string, number>();
  readonly #reportedTopics = new Set<string>();
  #required: boolean;
  #watcher: FSWatcher | null = null;
  /** Inode and birth time of the watched folder. They identify it, since an inode number alone may be reused. */
  #watchedFolder: string | null = null;
  #hasRead = false;
  #scheduledRead: NodeJS.Immediate | null = null;
  readonly #timer: NodeJS.Timeout;
  /** Resolves when every use so far is written. */
  #writing: Promise<void> = Promise.resolve();

  private constructor(
    folder: string,
    envKeys: readonly EnvKey[],
    { nowMs, onProblem }: Parameters<typeof ApiKeys.open>[2],
  ) {
    this.#folder = folder;
    this.#envKeys = envKeys;
    this.#nowMs = nowMs;
    this.#onProblem = onProblem;
    this.#required = envKeys.length > 0;
    try {
      // The folder must exist to be watched before the first key is created.
      makeKeysFolder(folder);
    } catch (error) {
      this.#reportOnce(`Cannot create the folder of API keys: ${(error as Error).message}`);
    }
    this.#readFolder();
    this.#timer = setInterval(() => this.#readFolder(), LIMITS.keysPollMs).unref();
  }

  /**
   * Reads the keys of a data folder and starts to watch them. `onProblem` is called once per problem. Throws
   * CONFIG_INVALID when `envKeys` (THREADMILL_API_KEYS) is invalid. The content of the folder never makes it throw.
   */
  static open(
    dataFolder: string,
    envKeys: string | undefined,
    options: { nowMs: () => number; onProblem: (text: string) => void },
  ): ApiKeys {
    return new ApiKeys(keysFolder(dataFolder), readEnvKeys(envKeys, options.nowMs()), options);
  }

  /**
   * True if any key was ever created here or is set by the environment: then every request needs a key. Revoked,
   * expired, damaged and unreadable keys count. Once true, it stays true until the server ends.
   */
  get required(): boolean {
    return this.#required;
  }

  /** The key with this text, if it is valid now. Takes constant time in the secret. Records the use. */
  check(text: string): ApiKey | null {
    this.#readIfChanged();
    const nowMs = this.#nowMs();
    const hash = hashKey(text);
    const keyId = parseKeyId(text);
    const known = keyId === null ? undefined : this.#files.get(keyFileNameOf(keyId));
    const expected = known === undefined || known.record === null ? null : known;
    let found: ApiKey | null = null;
    // Both buffers are always 32 bytes, and comparing them does not stop at the first difference.
    if (timingSafeEqual(hash, expected?.hash ?? NO_HASH) && expected !== null && isValid(expected.record, nowMs))
      found = toApiKey(expected.record, nowMs);
    // Compares all of them, so that the time does not reveal which one matches.
    for (const one of this.#envKeys) if (timingSafeEqual(hash, one.hash)) found ??= { ...one.key, lastUsedAtMs: nowMs };
    if (found !== null && found.keyId === keyId) this.#recordUse(keyId, nowMs);
    return found;
  }

  /** True if the key with this id is valid now: for work that its holder scheduled, such as crons. */
  isKeyValid(keyId: string): boolean {
    const known = this.#files.get(keyFileNameOf(keyId));
    return (
      (known?.record?.keyId === keyId && isValid(known.record, this.#nowMs())) ||
      this.#envKeys.some(({ key }) => key.keyId === keyId)
    );
  }

  /** All known keys, oldest first, including those of the environment. */
  list(): ApiKey[] {
    const files = [...this.#files.values()].flatMap(({ record }) =>
      record === null
        ? []
        : [toApiKey(record, this.#lastUseWrittenMs.get(record.keyId) ?? readLastUsed(this.#folder, record.keyId))],
    );
    return [...this.#envKeys.map(({ key }) => key), ...files].toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  }

  /** The key with this id, valid or not. Null when it does not exist or its file is damaged. */
  find(keyId: string): Pick<ApiKey, 'scopes' | 'expiresAtMs'> | null {
    return (
      this.#files.get(keyFileNameOf(keyId))?.record ?? this.#envKeys.find(({ key }) => key.keyId === keyId)?.key ?? null
    );
  }

  /** Number of keys of `list` plus damaged key files. */
  get count(): number {
    return this.#files.size + this.#envKeys.length;
  }

  /** Like `createKey`; the key is valid at once. After the first one every request needs a key. */
  async create(wanted: NewKey): Promise<{ key: ApiKey; text: string }> {
    const made = createKey(dirname(this.#folder), wanted, this.#nowMs());
    await this.#onFileWritten(made.key.keyId);
    return made;
  }

  /**
   * Like `revokeKey` by an id. Ends open connections of the key before it returns. Throws KEY_NOT_FOUND or
   * KEY_OF_ENVIRONMENT.
   */
  async revoke(keyId: string): Promise<ApiKey> {
    if (this.#envKeys.some(({ key }) => key.keyId === keyId)) throw fail('KEY_OF_ENVIRONMENT', { key: keyId });
    // Only ids, because the user of the console revokes one specific key.
    if (!this.#files.has(keyFileNameOf(keyId))) throw fail('KEY_NOT_FOUND', { key: keyId });
    const revoked = revokeKey(dirname(this.#folder), keyId, this.#nowMs());
    await this.#onFileWritten(keyId);
    return revoked;
  }

  async #onFileWritten(keyId: string): Promise<void> {
    this.#readFolder();
    const record = this.#files.get(keyFileNameOf(keyId))?.record;
    if (record) await this.onChanged(record);
  }

  /**
   * Registers a callback for ids of keys that stopped being valid: revoked, expired (checked every second) or
   * removed.
   */
  onEnded(callback: (keyIds: string[]) => void): void {
    this.#onEndedCallbacks.push(callback);
  }

  /** Resolves when all writes are done. No callback is called afterwards. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#scheduledRead !== null) clearImmediate(this.#scheduledRead);
    this.#unwatch();
    return this.#writing;
  }

  /** Applies the state of the folder. Reads only files that changed. */
  #readFolder(): void {
    // Watch before reading, so that later changes are noticed.
    this.#watch();
    let names: string[];
    try {
      names = keyFileNames(this.#folder);
    } catch (error) {
      // At the first check there is no known state to keep.
      if (this.#hasRead && TEMPORARY_ERRORS.has(errorCode(error) ?? '')) return;
      this.#required = true;
      this.#reportOnce(
        `The API keys in ${this.#folder} cannot be read, so no API key is valid: ${(error as Error).message}`,
      );
      names = [];
    }
    this.#hasRead = true;
    const files = new Map<string, KnownFile>();
    for (const name of names) {
      this.#required = true;
      const known = this.#readFile(name, this.#files.get(name));
      if (known !== null) files.set(name, known);
    }
    this.#files = files;
    this.#notifyEnded();
  }

  /** Null when the file is gone or cannot be read for now. */
  #readFile(name: string, before: KnownFile | undefined): KnownFile | null {
    try {
      const mark = fileVersion(join(this.#folder, name));
      if (before?.record && before.mark === mark) return before;
      const record = readKeyFile(this.#folder, name);
      return { record, hash: Buffer.from(record.hash, 'hex'), mark };
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      if (TEMPORARY_ERRORS.has(errorCode(error) ?? '')) return before ?? null;
      const problem = (error as Error).message;
      if (!(before?.record === null && before.problem === problem))
        this.#onProblem(`An API key is not valid because its file cannot be used: ${problem}`);
      return { record: null, problem };
    }
  }

  #notifyEnded(): void {
    const nowMs = this.#nowMs();
    const valid = new Map<string, string>();
    for (const { record } of this.#files.values())
      if (record !== null && isValid(record, nowMs)) valid.set(record.keyId, record.hash);
    // Another hash under the same id means another key.
    const ended = [...this.#validHashes].filter(([keyId, hash]) => valid.get(keyId) !== hash).map(([keyId]) => keyId);
    this.#validHashes = valid;
    if (ended.length > 0) for (const callback of this.#onEndedCallbacks) callback(ended);
  }

  /** Watches the folder. Starts again when another folder has replaced it. */
  #watch(): void {
    try {
      const stat = statSync(this.#folder, { bigint: true, throwIfNoEntry: false });
      const folder = stat === undefined ? null : `${stat.ino} ${stat.birthtimeNs}`;
      if (folder === this.#watchedFolder) return;
      this.#unwatch();
      if (folder === null) return;
      this.#watcher = watch(this.#folder, { persistent: false }, (_event, name) => {
        if (name === null || isKeyFile(name)) this.#scheduleRead();
      }).on('error', () => this.#unwatch());
      this.#watchedFolder = folder;
    } catch (error) {
      this.#unwatch();
      this.#reportOnce(
        'The folder of API keys cannot be watched, so changes apply within a second instead of at once: ' +
          (error as Error).message,
        'watch',
      );
    }
  }

  /** Combines the several events of one change. */
  #scheduleRead(): void {
    this.#scheduledRead ??= setImmediate(() => {
      this.#scheduledRead = null;
      this.#readFolder();
    });
  }

  /** The folder has changed, and requests that are already here must not see its earlier state. */
  #readIfChanged(): void {
    if (this.#scheduledRead === null) return;
    clearImmediate(this.#scheduledRead);
    this.#scheduledRead = null;
    this.#readFolder();
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = null;
    this.#watchedFolder = null;
  }

  #recordUse(keyId: string, nowMs: number): void {
    const notedAtMs = this.#lastUseWrittenMs.get(keyId) ?? readLastUsed(this.#folder, keyId) ?? 0;
    if (Math.abs(nowMs - notedAtMs) < LIMITS.keyUseIntervalMs) {
      this.#lastUseWrittenMs.set(keyId, notedAtMs);
      return;
    }
    this.#lastUseWrittenMs.set(keyId, nowMs);
    // Requests never wait for this. A slow disk only delays the next write.
    this.#writing = this.#writing.then(() => this.#writeUse(keyId, nowMs));
  }

  async #writeUse(keyId: string, nowMs: number): Promise<void> {
    try {
      const handle = await openFile(lastUsedFile(this.#folder, keyId), 'a', 0o600);
      try {
        await handle.utimes(nowMs / 1_000, nowMs / 1_000);
      } finally {
        await handle.close();
      }
    } catch (error) {
      this.#reportOnce(`Cannot write when API keys were last used: ${(error as Error).message}`, 'used');
    }
  }

  /** Reports each problem once. */
  #reportOnce(text: string, topic: string = text): void {
    if (this.#reportedTopics.has(topic)) return;
    this.#reportedTopics.add(topic);
    this.#onProblem(text);
  }
}
