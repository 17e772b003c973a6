import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import type { Duplex } from '../../src/wire/user-code/duplex.js';
import type { ReadRequest } from '../../src/wire/evaluation/evaluation.js';
import type { FromExport, ToExport } from '../../src/wire/evaluation/exports.js';
import type { Caches } from './caches.js';
import { datasetExports } from './exports-datasets.js';
import { experimentExports } from './exports-experiments.js';
import { serverExports } from './exports-server.js';

/** A file that is produced while it is sent. */
export interface Export {
  contentType: string;
  fileName: string;
  /** A text piece ends with a complete line. After each piece, also an empty one, other work may run. */
  pieces: Iterable<string | Uint8Array>;
}

/** Starts an export. Throws a refusal here or with the first pieces. */
export type StartExport<P> = (caches: Caches, caller: Caller, params: P) => Export;

type Talk = Duplex<FromExport, ToExport>;

/** All exports. The main thread has validated `params` against the route's schemas. */
const exports = new Map<string, StartExport<never>>(
  Object.entries({ ...datasetExports, ...experimentExports, ...serverExports }),
);

/**
 * Produces the file part by part. Each part is sent when the client has received the one before; other queries
 * are answered in between.
 */
export async function sendExport(talk: Talk, caches: Caches, { name, caller, params }: ReadRequest): Promise<null> {
  const start = exports.get(name);
  if (start === undefined) throw new Error(`unknown export: ${name}`);
  const parts = new Parts(talk);
  const { contentType, fileName, pieces } = start(caches, caller, params as never);
  parts.name(contentType, fileName);
  let turnEndsMs = performance.now() + LIMITS.exportTurnMs;
  for (const piece of pieces) {
    if ((await parts.add(piece)) || performance.now() > turnEndsMs) {
      await parts.pause();
      turnEndsMs = performance.now() + LIMITS.exportTurnMs;
    }
  }
  await parts.finish();
  return null;
}

/** Collects pieces into parts and sends them. The main thread confirms each part when the client has received it. */
class Parts {
  readonly #talk: Talk;
  /**
   * The next message from the main thread. Always being awaited, because it may report at any time that the
   * client has disconnected.
   */
  #next: Promise<ToExport>;
  #gone = false;
  #asked = false;
  #head: { contentType: string; fileName: string } | null = null;
  #text = '';

  constructor(talk: Talk) {
    this.#talk = talk;
    this.#next = this.#listen();
  }

  name(contentType: string, fileName: string): void {
    this.#head = { contentType, fileName };
  }

  /** Returns true when it has sent something. */
  async add(piece: string | Uint8Array): Promise<boolean> {
    if (typeof piece !== 'string') {
      await this.#flush(piece);
      return true;
    }
    this.#text += piece;
    if (this.#text.length < LIMITS.exportPartBytes) return false;
    await this.#flush();
    return true;
  }

  /** Lets other work run. Throws REQUEST_ABORTED when the client has disconnected. */
  async pause(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (this.#gone) throw fail('REQUEST_ABORTED', {});
  }

  /** Resolves when the client has received the last part. The end of the task must not overtake it. */
  async finish(): Promise<void> {
    if (this.#text !== '' || this.#head !== null) await this.#flush();
    await this.#taken();
  }

  /** Sends at most one part's size at once, however large a piece is. */
  async #flush(bytes: Uint8Array = Buffer.from(this.#text)): Promise<void> {
    this.#text = '';
    let at = 0;
    do {
      await this.#taken();
      const part = bytes.subarray(at, at + LIMITS.exportPartBytes);
      at += part.byteLength;
      this.#talk.send(
        this.#head === null ? { type: 'part', bytes: part } : { type: 'head', ...this.#head, bytes: part },
      );
      this.#head = null;
      this.#asked = true;
    } while (at < bytes.byteLength);
  }

  async #taken(): Promise<void> {
    if (!this.#asked) return;
    this.#asked = false;
    const { type } = await this.#next;
    if (type === 'abort') throw fail('REQUEST_ABORTED', {});
    this.#next = this.#listen();
  }

  #listen(): Promise<ToExport> {
    const next = this.#talk.receive();
    next.then(
      ({ type }) => {
        if (type === 'abort') this.#gone = true;
      },
      () => {
        this.#gone = true;
      },
    );
    return next;
  }
}
