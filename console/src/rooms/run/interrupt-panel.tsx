import { useState } from 'react';
import { messageFrom } from '../../api/http.js';
import { Button } from '../../kit/button.js';
import { TextArea, Checkbox } from '../../kit/field.js';
import { JsonEditor, readJson } from '../../kit/json-editor.js';
import { JsonTree } from '../../kit/json-tree.js';
import { ErrorNote } from '../../kit/note.js';
import { Panel } from '../../kit/page.js';
import { askedFor, decisionsOf, type Asked, type Decided } from './answers.js';
import { Decisions } from './decisions.js';
import type { Interrupt } from './run-events.js';
import styles from './run-room.module.css';

type Given = { kind: 'text'; text: string } | { kind: 'json'; text: string } | { kind: 'decided'; decided: readonly (Decided | null)[] };

/** What the graph asks, and the answers it is given: the run goes on with them. */
export function InterruptPanel({ interrupts, onAnswer }: { interrupts: readonly Interrupt[]; onAnswer: (resume: unknown) => Promise<unknown> }) {
  const asked = interrupts.map(({ value }) => askedFor(value));
  const [given, setGiven] = useState<Given[]>(() => asked.map((one) => (one === null ? { kind: 'text', text: '' } : { kind: 'decided', decided: one.requests.map(() => null) })));
  const [error, setError] = useState<unknown>(null);
  const [pending, setPending] = useState(false);
  const change = (at: number, next: Given): void => setGiven(given.map((one, place) => (place === at ? next : one)));
  const answers = given.map((one, at) => read(one, asked[at]!));
  const ready = answers.every((one) => one !== null);
  const send = async (): Promise<void> => {
    setPending(true);
    setError(null);
    try {
      // Several questions are told apart by their ids.
      const values = answers.map((one) => one!.value);
      await onAnswer(values.length === 1 ? values[0] : Object.fromEntries(values.map((value, at) => [interrupts[at]!.id ?? String(at), value])));
    } catch (caught) {
      setError(messageFrom(caught));
      setPending(false);
    }
  };
  return (
    <Panel title={interrupts.length === 1 ? 'The graph asks' : `The graph asks ${interrupts.length} questions`}>
      <form className="stack" onSubmit={(event) => { event.preventDefault(); if (ready) void send(); }} onKeyDownCapture={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && ready) { event.preventDefault(); void send(); } }}>
        {interrupts.map(({ id, value }, at) => {
          const one = given[at]!;
          const request = asked[at]!;
          const name = interrupts.length === 1 ? 'Your answer' : `Answer ${at + 1}`;
          return (
            <section key={id ?? at} className={styles['question']} aria-label={interrupts.length === 1 ? 'Question' : `Question ${at + 1}`}>
              {request !== null && one.kind === 'decided' ? <Decisions asked={request} decided={one.decided} onChange={(decided) => change(at, { kind: 'decided', decided })} /> : (
                <>
                  {wordsOf(value) === null ? null : <p className={styles['asked']} dir="auto">{wordsOf(value)}</p>}
                  {typeof value === 'string' ? null : <JsonTree label="What is asked" value={value} openTo={3} rows={12} />}
                  {one.kind === 'json' ? <JsonEditor label={name} rows={4} text={one.text} onChange={(text) => change(at, { kind: 'json', text })} /> : null}
                  {one.kind === 'text' ? <TextArea label={name} rows={2} autoFocus={at === 0} value={one.text} onChange={(text) => change(at, { kind: 'text', text })} /> : null}
                  {one.kind === 'decided' ? null : <Checkbox value={one.kind === 'json'} onChange={(on) => change(at, on ? { kind: 'json', text: one.text } : { kind: 'text', text: one.text })}>The answer is JSON</Checkbox>}
                </>
              )}
            </section>
          );
        })}
        {error === null ? null : <ErrorNote error={error} />}
        <div className="row"><Button type="submit" look="primary" isDisabled={!ready} isPending={pending}>{interrupts.length === 1 ? 'Answer' : 'Answer all'}</Button></div>
      </form>
    </Panel>
  );
}

function read(given: Given, asked: Asked | null): { value: unknown } | null {
  if (given.kind === 'text') return { value: given.text };
  if (given.kind === 'json') {
    const { value, error } = readJson(given.text);
    return error === null && value !== undefined ? { value } : null;
  }
  return given.decided.every((one) => one !== null) ? { value: decisionsOf(asked!, given.decided as Decided[]) } : null;
}

/** The sentence in which something is asked, where there is one. */
function wordsOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return null;
  const { question, message, prompt, description } = value as Record<string, unknown>;
  return [question, message, prompt, description].find((one) => typeof one === 'string') ?? null;
}
