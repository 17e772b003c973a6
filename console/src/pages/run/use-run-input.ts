import { useState } from 'react';
import { initialValue, type JsonSchema } from '../../schema/model.js';
import { nextInput } from '../../schema/chat-input.js';
import type { WrittenContent } from '../../schema/content-files.js';
import { composerContent, withComposerContent } from './composer-input.js';

export interface RunInputState {
  value: unknown;
  /** The person has entered something. */
  isTouched: boolean;
  /** Text and files of the only message; null if the input needs a form. */
  content: WrittenContent | null;
  setValue(value: unknown): void;
  setText(text: string): void;
  setFiles(files: readonly unknown[]): void;
  /** Adds files that have been read since. Does nothing if the input needs a form by now. */
  addFiles(files: readonly unknown[]): void;
  /** Begins the next input: the same values with an empty message. */
  clearMessage(): void;
  /** Puts content that could not be sent before what was written since. */
  restoreContent(content: WrittenContent): void;
}

/** The input of the next run. Each assistant has its own. `first`: the input before anything was entered. */
export function useRunInput(assistantId: string | null, schema: JsonSchema, first: unknown): RunInputState {
  const [typed, setTyped] = useState<Readonly<Record<string, { value: unknown }>>>({});
  const id = assistantId ?? '';
  const valueIn = (all: typeof typed): unknown =>
    all[id] === undefined ? (first ?? initialValue(schema, schema, true)) : all[id].value;
  const update = (change: (before: unknown) => unknown): void =>
    setTyped((all) => ({ ...all, [id]: { value: change(valueIn(all)) } }));
  const edit = (change: (before: WrittenContent) => WrittenContent): void =>
    update((input) => {
      const before = composerContent(schema, input);
      return before === null ? input : withComposerContent(schema, input, change(before));
    });
  const value = valueIn(typed);
  return {
    value,
    isTouched: typed[id] !== undefined,
    content: composerContent(schema, value),
    setValue: (next) => update(() => next),
    setText: (text) => edit((before) => ({ ...before, text })),
    setFiles: (files) => edit((before) => ({ ...before, files })),
    addFiles: (files) => edit((before) => ({ ...before, files: [...before.files, ...files] })),
    clearMessage: () => update((before) => nextInput(schema, before)),
    restoreContent: ({ text, files }) =>
      edit((since) => ({
        text: since.text === '' ? text : `${text}\n${since.text}`,
        files: [...files, ...since.files],
      })),
  };
}
