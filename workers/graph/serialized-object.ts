import type { SharedText } from '../../src/wire/evaluation/shared-texts.js';
import type { Trace } from './trace.js';

/** The hash by which content is stored, and its text (`hashKey`). Lists of a chat have thousands of them. */
export interface Address {
  readonly hash: Uint8Array;
  readonly key: string;
}

/** The cached serialization of an object. Valid while the object matches its trace. */
export interface SerializedObject {
  trace: Trace;
  json: string;
  /** Where the stored form is, once it has an address. */
  address: Address | null;
  /** Of the last trace that has it. */
  shared: SharedText | null;
}
