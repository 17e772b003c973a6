import { useState } from 'react';
import { initialValue, type JsonSchema } from '../../schema/model.js';
import { nextInput } from '../../schema/chat-input.js';
import { composerText, withComposerText } from './composer-input.js';

export interface RunInputState {
  value: unknown;
  /** The person has entered something. */
  isTouched: boolean;
  /** Text of the only message; null if the input needs a form. */
  text: string | null;
  setValue(value: unknown): void;
  setText(text: string): void;
  /** Begins the next input: the same values with an empty message. */
  clearMessage(): void;
  /** Puts a text that could not be sent before what was written since. */
  restoreText(text: string): void;
}

/** The input of the next run. Each assistant has its own. `first`: the input before anything was entered. */
export function useRunInput(assistantId: string | null, schema: JsonSchema, first: unknown): RunInputState {
  const [typed, setTyped] = useState<Readonly<Record<string, { value: unknown }>>>({});
  const id = assistantId ?? '';
  const valueIn = (all: typeof typed): unknown =>
    all[id] === undefined ? (first ?? initialValue(schema, schema, true)) : all[id].value;
  const update = (change: (before: unknown) => unknown): void =>
    setTyped((all) => ({ ...all, [id]: { value: change(valueIn(all)) } }));
  const value = valueIn(typed);
  return {
    value,
    isTouched: typed[id] !== undefined,
    text: composerText(schema, value),
    setValue: (next) => update(() => next),
    setText: (text) => update((before) => withComposerText(schema, before, text)),
    clearMessage: () => update((before) => nextInput(schema, before)),
    restoreText: (text) =>
      update((before) => {
        const since = composerText(schema, before) ?? '';
        return withComposerText(schema, before, since === '' ? text : `${text}\n${since}`);
      }),
  };
}
