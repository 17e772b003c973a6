/** An export is asked for like a read, and comes in parts; `head` is the first of them. The worker is at most one part ahead. */
export type FromExport =
  | { type: 'head'; contentType: string; fileName: string; bytes: Uint8Array }
  | { type: 'part'; bytes: Uint8Array };

export type ToExport =
  /** The client's socket has taken the last part. */
  | { type: 'more' }
  /** The client went away. */
  | { type: 'abort' };
