import type { Caller } from '../../src/domain/caller.js';
import type { Caches } from './caches.js';

/** A file that is produced while it is sent. */
export interface Export {
  contentType: string;
  fileName: string;
  /** A text piece ends with a complete line. After each piece, also an empty one, other work may run. */
  pieces: Iterable<string | Uint8Array>;
}

/** Starts an export. Throws a refusal here or with the first pieces. */
export type StartExport<P> = (caches: Caches, caller: Caller, params: P) => Export;
