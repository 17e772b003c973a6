import { timingSafeEqual } from 'node:crypto';
import { statSync, watch, type FSWatcher } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { readEnvKeys, type EnvKey } from '../encryption/env-keys.js';
import {
  codeOf,
  createKey,
  hashOf,
  isKeyFile,
  isValid,
  keyFileNames,
  keyFileOf,
  keyIdOf,
  keysFolder,
  makeFolder,
  markOf,
  publicOf,
  readKeyFile,
  readLastUsed,
  revokeKey,
  usedFileOf,
  type ApiKey,
  type KeyRecord,
  type NewKey,
} from './key-files.js';

export { createKey, listKeys, revokeKey, type ApiKey } from './key-files.js';
export { allows, type Permission } from './key-scopes.js';

/** One file of the folder, as it was when it was last read. */
type Known = { record: KeyRecord; hash: Buffer; mark: string } | { record: null; problem: string };

/** A key of this hash exists nowhere; an unknown id is compared too, and takes as long as a known one. */
const NO_HASH = Buffer.alloc(32);

/** Of the system as a whole: they say nothing of the file, so what is known of it stays. */
const PASSING = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR']);

/**
 * The keys of a running server. The folder decides: the command line changes it at any time, and what it changes is
 * taken over at once, by a watch, and within a second where a watch is lossy or there is none.
 */
export class ApiKeys {
  readonly #folder: string;
  readonly #envKeys: readonly EnvKey[];
  readonly #nowMs: () => number;
  readonly #onProblem: (text: string) => void;
  readonly #ended: ((keyIds: string[]) => void)[] = [];
  /** By name of the file. */
  #files = new Map<string, Known>();
  /** Hashes of the keys that were valid when this was last looked at, by id. */
  #valid = new Map<string, string>();
  /** When the time of use was last written down. */
  readonly #notedAtMs = new Map<string, number>();
  readonly #told = new Set<string>();
  #required: boolean;
  #watcher: FSWatcher | null = null;
  /** Tells a folder from another one that took its name: the number alone may be given again. */
  #watched: string | null = null;
  #looked = false;
  #planned: NodeJS.Immediate | null = null;
  readonly #timer: NodeJS.Timeout;
  /** Ends when every use so far is written down. */
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
      // So that there is something to watch before the first key.
      makeFolder(folder);
    } catch (error) {
      this.#tellOnce(`The folder of API keys cannot be made: ${(error as Error).message}`);
    }
    this.#look();
    this.#timer = setInterval(() => this.#look(), LIMITS.keysPollMs).unref();
  }

  /**
   * Reads the keys of a data folder, and begins to watch them. `onProblem` is told once of what does not work.
   * Throws CONFIG_INVALID when `envKeys` (THREADMILL_API_KEYS) is wrong; nothing that is in the folder makes it throw.
   */
  static open(
    dataFolder: string,
    envKeys: string | undefined,
    options: { nowMs: () => number; onProblem: (text: string) => void },
  ): ApiKeys {
    return new ApiKeys(keysFolder(dataFolder), readEnvKeys(envKeys, options.nowMs()), options);
  }

  /**
   * Any key was ever made here, or is given by the environment: then nobody is served without one. A revoked, expired,
   * damaged or unreadable one counts. Once true, it stays so until the server ends.
   */
  get required(): boolean {
    return this.#required;
  }

  /** The key this text is, if it is valid now: not expired, not revoked. Constant time in the secret. Notes its use. */
  check(text: string): ApiKey | null {
    const nowMs = this.#nowMs();
    const hash = hashOf(text);
    const keyId = keyIdOf(text);
    const known = keyId === null ? undefined : this.#files.get(keyFileOf(keyId));
    const expected = known === undefined || known.record === null ? null : known;
    let found: ApiKey | null = null;
    // Both buffers are always 32 bytes, and comparing them does not stop at the first difference.
    if (timingSafeEqual(hash, expected?.hash ?? NO_HASH) && expected !== null && isValid(expected.record, nowMs))
      found = publicOf(expected.record, nowMs);
    // All of them, whichever it is: the time does not tell.
    for (const one of this.#envKeys) if (timingSafeEqual(hash, one.hash)) found ??= { ...one.key, lastUsedAtMs: nowMs };
    if (found !== null && found.keyId === keyId) this.#noteUse(keyId, nowMs);
    return found;
  }

  /** Whether the key with this id is valid now: for what its holder left to be done later. */
  holds(keyId: string): boolean {
    const known = this.#files.get(keyFileOf(keyId));
    return (
      (known?.record?.keyId === keyId && isValid(known.record, this.#nowMs())) ||
      this.#envKeys.some(({ key }) => key.keyId === keyId)
    );
  }

  /** All keys as they are known now, oldest first, those of the environment too. */
  list(): ApiKey[] {
    const files = [...this.#files.values()].flatMap(({ record }) =>
      record === null
        ? []
        : [publicOf(record, this.#notedAtMs.get(record.keyId) ?? readLastUsed(this.#folder, record.keyId))],
    );
    return [...this.#envKeys.map(({ key }) => key), ...files].toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  }

  /** The key with this id, valid or not; null when there is none, or its file holds none. */
  find(keyId: string): Pick<ApiKey, 'scopes' | 'expiresAtMs'> | null {
    return (
      this.#files.get(keyFileOf(keyId))?.record ?? this.#envKeys.find(({ key }) => key.keyId === keyId)?.key ?? null
    );
  }

  /** Keys of `list`, and files that hold none. */
  get count(): number {
    return this.#files.size + this.#envKeys.length;
  }

  /** As `createKey`, and valid at once. From the first one on nobody is served without one. */
  create(wanted: NewKey): { key: ApiKey; text: string } {
    const made = createKey(dirname(this.#folder), wanted, this.#nowMs());
    this.#look();
    return made;
  }

  /** As `revokeKey` by an id: what is open for it ends before this returns. Throws KEY_NOT_FOUND, and KEY_OF_ENVIRONMENT. */
  revoke(keyId: string): ApiKey {
    if (this.#envKeys.some(({ key }) => key.keyId === keyId)) throw fail('KEY_OF_ENVIRONMENT', { key: keyId });
    // A name is no id: whoever presses a button means this very key.
    if (!this.#files.has(keyFileOf(keyId))) throw fail('KEY_NOT_FOUND', { key: keyId });
    const revoked = revokeKey(dirname(this.#folder), keyId, this.#nowMs());
    this.#look();
    return revoked;
  }

  /** Called with ids of keys that were valid and no longer are: revoked, expired (checked every second), or their file removed. */
  onEnded(callback: (keyIds: string[]) => void): void {
    this.#ended.push(callback);
  }

  /** Resolves when nothing is written any more. Nothing is told from now on. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#planned !== null) clearImmediate(this.#planned);
    this.#unwatch();
    return this.#writing;
  }

  /** Takes over what the folder says. A file that has not changed is not read again. */
  #look(): void {
    // Before the read: what changes after it is told.
    this.#watch();
    let names: string[];
    try {
      names = keyFileNames(this.#folder);
    } catch (error) {
      // At first nothing is known that could stay.
      if (this.#looked && PASSING.has(codeOf(error) ?? '')) return;
      this.#required = true;
      this.#tellOnce(
        `The API keys in ${this.#folder} cannot be read, so none of them is valid: ${(error as Error).message}`,
      );
      names = [];
    }
    this.#looked = true;
    const files = new Map<string, Known>();
    for (const name of names) {
      this.#required = true;
      const known = this.#read(name, this.#files.get(name));
      if (known !== null) files.set(name, known);
    }
    this.#files = files;
    this.#tellEnded();
  }

  /** Null when the file is gone, or cannot be read yet. */
  #read(name: string, before: Known | undefined): Known | null {
    try {
      const mark = markOf(join(this.#folder, name));
      if (before?.record && before.mark === mark) return before;
      const record = readKeyFile(this.#folder, name);
      return { record, hash: Buffer.from(record.hash, 'hex'), mark };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      if (PASSING.has(codeOf(error) ?? '')) return before ?? null;
      const problem = (error as Error).message;
      if (!(before?.record === null && before.problem === problem))
        this.#onProblem(`An API key is not valid, because its file cannot be used: ${problem}`);
      return { record: null, problem };
    }
  }

  #tellEnded(): void {
    const nowMs = this.#nowMs();
    const valid = new Map<string, string>();
    for (const { record } of this.#files.values())
      if (record !== null && isValid(record, nowMs)) valid.set(record.keyId, record.hash);
    // Another hash under the same id is another key.
    const ended = [...this.#valid].filter(([keyId, hash]) => valid.get(keyId) !== hash).map(([keyId]) => keyId);
    this.#valid = valid;
    if (ended.length > 0) for (const callback of this.#ended) callback(ended);
  }

  /** Watches the folder, and anew when another one took its place. */
  #watch(): void {
    try {
      const stat = statSync(this.#folder, { bigint: true, throwIfNoEntry: false });
      const folder = stat === undefined ? null : `${stat.ino} ${stat.birthtimeNs}`;
      if (folder === this.#watched) return;
      this.#unwatch();
      if (folder === null) return;
      this.#watcher = watch(this.#folder, { persistent: false }, (_event, name) => {
        if (name === null || isKeyFile(name)) this.#lookSoon();
      }).on('error', () => this.#unwatch());
      this.#watched = folder;
    } catch (error) {
      this.#unwatch();
      this.#tellOnce(
        `The folder of API keys cannot be watched, so changes are taken over within a second, not at once: ${(error as Error).message}`,
        'watch',
      );
    }
  }

  /** One change makes several events. */
  #lookSoon(): void {
    this.#planned ??= setImmediate(() => {
      this.#planned = null;
      this.#look();
    });
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = null;
    this.#watched = null;
  }

  #noteUse(keyId: string, nowMs: number): void {
    const notedAtMs = this.#notedAtMs.get(keyId) ?? readLastUsed(this.#folder, keyId) ?? 0;
    if (Math.abs(nowMs - notedAtMs) < LIMITS.keyUsedEveryMs) {
      this.#notedAtMs.set(keyId, notedAtMs);
      return;
    }
    this.#notedAtMs.set(keyId, nowMs);
    // Never awaited by a request: a slow disk holds up only the next note.
    this.#writing = this.#writing.then(() => this.#writeUse(keyId, nowMs));
  }

  async #writeUse(keyId: string, nowMs: number): Promise<void> {
    try {
      const handle = await openFile(usedFileOf(this.#folder, keyId), 'a', 0o600);
      try {
        await handle.utimes(nowMs / 1_000, nowMs / 1_000);
      } finally {
        await handle.close();
      }
    } catch (error) {
      this.#tellOnce(`When API keys were last used cannot be written down: ${(error as Error).message}`, 'used');
    }
  }

  /** A hint changes nothing, and once is enough. */
  #tellOnce(text: string, topic: string = text): void {
    if (this.#told.has(topic)) return;
    this.#told.add(topic);
    this.#onProblem(text);
  }
}
