/** The keys of one encrypted data folder, in a form that can be sent to another thread. */
export interface CipherKeys {
  readonly values: Uint8Array;
  readonly names: Uint8Array;
}
