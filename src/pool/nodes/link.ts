/** A connection between two nodes of a cluster, over which whole messages arrive in order. */
export interface Link {
  /** Of the other side, for logs. */
  readonly address: string;
  /** Takes the messages and the end of the connection. Call it once, at once. */
  receive(onMessage: (bytes: Uint8Array) => void, onClosed: (reason: string) => void): void;
  /** Sends the parts as one message. They may not change afterwards. */
  send(...parts: readonly Uint8Array[]): void;
  close(reason: string): void;
}
