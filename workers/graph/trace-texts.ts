import { SharedTexts } from '../../src/wire/evaluation/shared-texts.js';
import type { SerializedObject } from './serialized-object.js';

/** Texts that the steps of a recorded run share, and what helps to find them. */
export class TraceTexts extends SharedTexts {
  /** The messages of the lists that were written last, by their index: the next list mostly begins with the same. */
  readonly messages: ({ message: object; serialized: SerializedObject } | undefined)[];

  constructor(before?: TraceTexts) {
    super();
    this.messages = before?.messages ?? [];
  }
}
