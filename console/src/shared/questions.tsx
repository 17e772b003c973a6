import { useState } from 'react';
import { prettyJson } from '../api/json.js';
import { useDoing } from '../components/doing.js';
import { Button } from '../components/button.js';
import { Checkbox, TextArea } from '../components/field.js';
import { JsonEditor, readJson } from '../components/json-editor.js';
import { ErrorNote } from '../components/note.js';
import { Decisions, decisionsOf, draftsOf, type DecisionDraft } from './decisions.js';
import { Question } from './question.js';
import { reviewOf, type Review } from './review.js';
import styles from './questions.module.css';

/** An interrupt: what a graph asks. */
export interface Asked {
  id?: string | null;
  value: unknown;
}

type Draft = { form: 'text' | 'json'; text: string } | { form: 'review'; review: Review; decisions: DecisionDraft[] };

/** What a graph asks, and the answers, which are sent together. `byId`: others wait beside these, or these are several: each answer goes to its own. */
export function Questions({
  asked,
  byId,
  onAnswer,
  isDisabled = false,
  autoFocus = false,
}: {
  asked: readonly Asked[];
  byId: boolean;
  onAnswer: (resume: unknown) => Promise<unknown>;
  isDisabled?: boolean;
  autoFocus?: boolean;
}) {
  const [drafts, setDrafts] = useState<readonly Draft[]>(() =>
    asked.map(({ value }) => {
      const review = reviewOf(value);
      return review === null ? { form: 'text', text: '' } : { form: 'review', review, decisions: draftsOf(review) };
    }),
  );
  const { error, pending, attempt } = useDoing();
  const answers = drafts.map(answerOf);
  const ready = !isDisabled && !pending && answers.every((one) => one !== null);
  const send = (): Promise<void> =>
    attempt(async () => {
      const values = answers.map((one) => one!.value);
      const told = byId && asked.every(({ id }) => typeof id === 'string');
      await onAnswer(told ? Object.fromEntries(values.map((value, at) => [asked[at]!.id, value])) : values[0]);
    });
  return (
    <form
      className={styles['questions']}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void send();
      }}
      onKeyDownCapture={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && ready) {
          event.preventDefault();
          void send();
        }
      }}
    >
      {asked.map(({ id, value }, at) => {
        const draft = drafts[at]!;
        const change = (next: Draft): void => setDrafts(drafts.map((one, place) => (place === at ? next : one)));
        const alone = asked.length === 1;
        return (
          <div
            key={id ?? at}
            className={styles['question']}
            role="group"
            aria-label={alone ? 'Question' : `Question ${at + 1}`}
          >
            {draft.form === 'review' ? (
              <Decisions
                review={draft.review}
                drafts={draft.decisions}
                onChange={(decisions) => change({ ...draft, decisions })}
              />
            ) : (
              <>
                <Question value={value} />
                <Answer
                  label={alone ? 'Your answer' : `Answer ${at + 1}`}
                  draft={draft}
                  onChange={change}
                  autoFocus={autoFocus && at === 0}
                />
              </>
            )}
          </div>
        );
      })}
      {error === null ? null : <ErrorNote error={error} />}
      <div className="row">
        <Button type="submit" look="primary" isDisabled={!ready} isPending={pending}>
          {asked.length === 1 ? 'Answer' : 'Answer all'}
        </Button>
      </div>
    </form>
  );
}

function Answer({
  label,
  draft: { form, text },
  onChange,
  autoFocus,
}: {
  label: string;
  draft: { form: 'text' | 'json'; text: string };
  onChange: (draft: Draft) => void;
  autoFocus: boolean;
}) {
  // What is typed already is kept as what it means.
  const asJson = text === '' || readJson(text).error === null ? text : prettyJson(text);
  return (
    <>
      {form === 'json' ? (
        <JsonEditor label={label} rows={4} text={text} onChange={(next) => onChange({ form, text: next })} />
      ) : (
        <TextArea
          label={label}
          rows={2}
          autoFocus={autoFocus}
          value={text}
          onChange={(next) => onChange({ form, text: next })}
        />
      )}
      <Checkbox
        value={form === 'json'}
        onChange={(on) => onChange(on ? { form: 'json', text: asJson } : { form: 'text', text })}
      >
        The answer is JSON
      </Checkbox>
    </>
  );
}

/** Null: there is no answer yet. */
function answerOf(draft: Draft): { value: unknown } | null {
  if (draft.form === 'review') {
    const decisions = decisionsOf(draft.decisions);
    return decisions === null ? null : { value: draft.review.answer(decisions) };
  }
  if (draft.form === 'text') return draft.text.trim() === '' ? null : { value: draft.text };
  const { value } = readJson(draft.text);
  return value === undefined ? null : { value };
}
