/**
 * Messages of an export. It is requested like a read and arrives in parts; `head` is the first one. The worker
 * is at most one part ahead.
 */
export type FromExport =
  | { type: 'head'; contentType: string; fileName: string; bytes: Uint8Array }
  | { type: 'part'; bytes: Uint8Array };

export type ToExport =
  /** The client's socket has accepted the last part. */
  | { type: 'more' }
  /** The client disconnected. */
  | { type: 'abort' };
