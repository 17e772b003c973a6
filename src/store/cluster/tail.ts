import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../../base/limits.js';
import { pack, unpack } from '../../wire/codec.js';
import type { LogEntry } from './commit-log.js';

// The newest entries of the log, beside the copy that they were applied to. They are needed when the database has lost
// them (docs/decisions/0060-cluster-operations.md). A file begins with the entry in its name. An entry is the
// length of its head (4 bytes, big-endian), the head (msgpack), and the body.

const LENGTH_BYTES = 4;
const FILE_NAME = /^\d{16}$/;

type Head = [index: number, epoch: number, entryId: string, hash: Uint8Array, bodyBytes: number];

/** Writes the newest entries. Older ones are removed, by files. */
export class Tail {
  readonly #folder: string;
  #file: { handle: FileHandle; bytes: number } | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(dataFolder: string) {
    this.#folder = tailFolder(dataFolder);
  }

  /**
   * Resolves when the operating system has the entries, which need not be on disk. Calls take effect, and resolve, in
   * their order. Rejects with the error of the system, and so do all later calls.
   */
  append(entries: readonly LogEntry[]): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(entries));
    // Every caller gets the rejection of its own promise.
    this.#writing.catch(() => undefined);
    return this.#writing;
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#file?.handle.close();
    this.#file = null;
  }

  async #write(entries: readonly LogEntry[]): Promise<void> {
    const [first] = entries;
    if (first === undefined) return;
    if (this.#file === null || this.#file.bytes > LIMITS.tailFileBytes) await this.#openFile(first.index);
    const parts = entries.flatMap(partsOf);
    await this.#file!.handle.writev(parts);
    this.#file!.bytes += parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** A new file after each start, because the last one may end in the middle of an entry. */
  async #openFile(firstIndex: number): Promise<void> {
    await this.#file?.handle.close();
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const name = String(firstIndex).padStart(16, '0');
    this.#file = { handle: await open(join(this.#folder, name), 'w', 0o600), bytes: 0 };
    removeOldFiles(this.#folder);
  }
}

function partsOf({ index, epoch, entryId, hash, body }: LogEntry): Uint8Array[] {
  const head = pack([index, epoch, entryId, hash, body.byteLength] satisfies Head);
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32BE(head.byteLength);
  return [length, head, body];
}

/** Keeps the newest files that have `tailBytes` together, without the one that was just opened. */
function removeOldFiles(folder: string): void {
  let bytes = 0;
  for (const [age, name] of fileNames(folder).toReversed().entries()) {
    if (bytes > LIMITS.tailBytes || age >= LIMITS.tailFilesMax) rmSync(join(folder, name), { force: true });
    else bytes += statSync(join(folder, name)).size;
  }
}

/** The entries that are kept beside a copy and follow each other up to the newest one, oldest first. */
export function readTail(dataFolder: string): LogEntry[] {
  const folder = tailFolder(dataFolder);
  let entries: LogEntry[] = [];
  for (const name of fileNames(folder)) {
    const firstIndex = Number(name);
    const end = entries.at(-1)?.index ?? 0;
    // After a start, a file may repeat the last entries. After a snapshot was loaded, entries are missing before it.
    if (firstIndex > end + 1) entries = [];
    else entries = entries.filter(({ index }) => index < firstIndex);
    for (const entry of entriesOf(readFileSync(join(folder, name)))) {
      const last = entries.at(-1);
      if (last !== undefined && entry.index !== last.index + 1) break;
      entries.push(entry);
    }
  }
  return entries;
}

/** Stops at an entry that is not complete. */
function* entriesOf(bytes: Buffer): Generator<LogEntry> {
  for (let at = 0; at + LENGTH_BYTES <= bytes.byteLength;) {
    const bodyAt = at + LENGTH_BYTES + bytes.readUInt32BE(at);
    if (bodyAt > bytes.byteLength) return;
    const [index, epoch, entryId, hash, bodyBytes] = unpack<Head>(bytes.subarray(at + LENGTH_BYTES, bodyAt));
    at = bodyAt + bodyBytes;
    if (at > bytes.byteLength) return;
    yield { index, epoch, entryId, hash: Buffer.from(hash), body: bytes.subarray(bodyAt, at) };
  }
}

/** In the order of their entries. */
function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => FILE_NAME.test(name))
      .toSorted();
  } catch {
    return [];
  }
}

function tailFolder(dataFolder: string): string {
  return join(dataFolder, 'tail');
}
