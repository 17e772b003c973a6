import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import type { Conversation } from '../../src/wire/user-code/duplex.js';
import type { ReadAsk } from '../../src/wire/evaluation/evaluation.js';
import type { FromExport, ToExport } from '../../src/wire/evaluation/exports.js';
import type { Caches } from './caches.js';
import { datasetExports } from './exports-datasets.js';
import { experimentExports } from './exports-experiments.js';
import { serverExports } from './exports-server.js';

/** A file that is made while it is sent. */
export interface Export {
  contentType: string;
  fileName: string;
  /** A piece ends with a whole line, or is bytes of a form that has none. An empty one is a moment at which others may have their turn, like any other. */
  pieces: Iterable<string | Uint8Array>;
}

/** Begins an export; what it refuses, it refuses here, or with the first pieces. */
export type StartExport<P> = (caches: Caches, caller: Caller, params: P) => Export;

type Talk = Conversation<FromExport, ToExport>;

/** Everything that can be exported. The front has checked the shape of `params` against the route's schemas. */
const exports = new Map<string, StartExport<never>>(
  Object.entries({ ...datasetExports, ...experimentExports, ...serverExports }),
);

/** Makes the file part by part, each when the client has taken the one before the last; in between other questions are answered. */
export async function sendExport(talk: Talk, caches: Caches, { name, caller, params }: ReadAsk): Promise<null> {
  const start = exports.get(name);
  if (start === undefined) throw new Error(`no export is called ${name}`);
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

/** Collects pieces to parts and hands them over; the front says when the client has taken one. */
class Parts {
  readonly #talk: Talk;
  /** What the front says next; asked for ahead of time, because it may say at any time that the client is gone. */
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

  /** True when it has sent something. */
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

  /** Lets others have their turn. Throws REQUEST_ABORTED when the client is gone. */
  async pause(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (this.#gone) throw fail('REQUEST_ABORTED', {});
  }

  /** Resolves when the last part has been taken: the end of a task must not overtake it. */
  async finish(): Promise<void> {
    if (this.#text !== '' || this.#head !== null) await this.#flush();
    await this.#taken();
  }

  /** Never more than the size of a part at once, however large a piece is. */
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
    const next = this.#talk.next();
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
