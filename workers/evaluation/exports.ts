import { fail } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import type { Duplex } from '../../src/wire/user-code/duplex.js';
import type { ReadRequest } from '../../src/wire/evaluation/evaluation.js';
import type { FromExport, ToExport } from '../../src/wire/evaluation/exports.js';
import type { Caches } from './caches.js';
import type { StartExport } from './export.js';
import { datasetExports } from './exports-datasets.js';
import { experimentExports } from './exports-experiments.js';
import { runExports } from './exports-runs.js';
import { serverExports } from './exports-server.js';

type ExportDuplex = Duplex<FromExport, ToExport>;

/** All exports. The main thread has validated `params` against the route's schemas. */
const exports = new Map<string, StartExport<never>>(
  Object.entries({ ...datasetExports, ...experimentExports, ...runExports, ...serverExports }),
);

/**
 * Produces the file part by part. Each part is sent when the client has received the one before; other queries
 * are answered in between.
 */
export async function sendExport(
  duplex: ExportDuplex,
  caches: Caches,
  { name, caller, params }: ReadRequest,
): Promise<null> {
  const start = exports.get(name);
  if (start === undefined) throw new Error(`unknown export: ${name}`);
  const parts = new PartSender(duplex);
  const { contentType, fileName, pieces } = start(caches, caller, params as never);
  parts.setHead(contentType, fileName);
  let turnEndsMs = performance.now() + LIMITS.exportSliceMs;
  for (const piece of pieces) {
    if ((await parts.add(piece)) || performance.now() > turnEndsMs) {
      await parts.pause();
      turnEndsMs = performance.now() + LIMITS.exportSliceMs;
    }
  }
  await parts.finish();
  return null;
}

/** Collects pieces into parts and sends them. The main thread confirms each part when the client has received it. */
class PartSender {
  readonly #channel: ExportDuplex;
  /**
   * The next message from the main thread. Always being awaited, because it may report at any time that the
   * client has disconnected.
   */
  #next: Promise<ToExport>;
  #aborted = false;
  #awaitsConfirmation = false;
  #head: { contentType: string; fileName: string } | null = null;
  #text = '';

  constructor(duplex: ExportDuplex) {
    this.#channel = duplex;
    this.#next = this.#listen();
  }

  setHead(contentType: string, fileName: string): void {
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
    if (this.#aborted) throw fail('REQUEST_ABORTED', {});
  }

  /** Resolves when the client has received the last part. The end of the task must not overtake it. */
  async finish(): Promise<void> {
    if (this.#text !== '' || this.#head !== null) await this.#flush();
    await this.#confirmed();
  }

  /** Sends at most one part's size at once, however large a piece is. */
  async #flush(bytes: Uint8Array = Buffer.from(this.#text)): Promise<void> {
    this.#text = '';
    let at = 0;
    do {
      await this.#confirmed();
      const part = bytes.subarray(at, at + LIMITS.exportPartBytes);
      at += part.byteLength;
      this.#channel.send(
        this.#head === null ? { type: 'part', bytes: part } : { type: 'head', ...this.#head, bytes: part },
      );
      this.#head = null;
      this.#awaitsConfirmation = true;
    } while (at < bytes.byteLength);
  }

  async #confirmed(): Promise<void> {
    if (!this.#awaitsConfirmation) return;
    this.#awaitsConfirmation = false;
    const { type } = await this.#next;
    if (type === 'abort') throw fail('REQUEST_ABORTED', {});
    this.#next = this.#listen();
  }

  #listen(): Promise<ToExport> {
    const next = this.#channel.receive();
    next.then(
      ({ type }) => {
        if (type === 'abort') this.#aborted = true;
      },
      () => {
        this.#aborted = true;
      },
    );
    return next;
  }
}
