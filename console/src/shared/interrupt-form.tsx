import { useState } from 'react';
import { prettyJson } from '../api/json.js';
import { useAsyncAction } from '../components/async-action.js';
import { Button } from '../components/button.js';
import { Checkbox, TextArea } from '../components/field.js';
import { JsonEditor, readJson } from '../components/json-editor.js';
import { ErrorNote } from '../components/note.js';
import { Decisions, completeDecisions, initialDrafts, type DecisionDraft } from './decisions.js';
import { InterruptValue } from './interrupt-value.js';
import { reviewOf, type Review } from './review.js';
import styles from './interrupt-form.module.css';

/** An interrupt of a graph. */
export interface OpenInterrupt {
  id?: string | null;
  value: unknown;
}

type AnswerDraft =
  | { form: 'text' | 'json'; text: string }
  | { form: 'review'; review: Review; decisions: DecisionDraft[] };

/** Answer fields for interrupts. `byId`: key the answers by interrupt id, which is required if several are open. */
export function InterruptForm({
  interrupts,
  byId,
  onAnswer,
  isDisabled = false,
  autoFocus = false,
}: {
  interrupts: readonly OpenInterrupt[];
  byId: boolean;
  onAnswer: (resume: unknown) => Promise<unknown>;
  isDisabled?: boolean;
  autoFocus?: boolean;
}) {
  const [drafts, setDrafts] = useState<readonly AnswerDraft[]>(() =>
    interrupts.map(({ value }) => {
      const review = reviewOf(value);
      return review === null
        ? { form: 'text', text: '' }
        : { form: 'review', review, decisions: initialDrafts(review) };
    }),
  );
  const { error, isPending, execute } = useAsyncAction();
  const answers = drafts.map(completeAnswer);
  const ready = !isDisabled && !isPending && answers.every((one) => one !== null);
  const send = (): Promise<void> =>
    execute(async () => {
      const values = answers.map((one) => one!.value);
      const keyed = byId && interrupts.every(({ id }) => typeof id === 'string');
      await onAnswer(keyed ? Object.fromEntries(values.map((value, at) => [interrupts[at]!.id, value])) : values[0]);
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
      {interrupts.map(({ id, value }, at) => {
        const draft = drafts[at]!;
        const change = (next: AnswerDraft): void => setDrafts(drafts.map((one, place) => (place === at ? next : one)));
        const isOnly = interrupts.length === 1;
        return (
          <div
            key={id ?? at}
            className={styles['question']}
            role="group"
            aria-label={isOnly ? 'Question' : `Question ${at + 1}`}
          >
            {draft.form === 'review' ? (
              <Decisions
                review={draft.review}
                drafts={draft.decisions}
                onChange={(decisions) => change({ ...draft, decisions })}
              />
            ) : (
              <>
                <InterruptValue value={value} />
                <Answer
                  label={isOnly ? 'Your answer' : `Answer ${at + 1}`}
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
        <Button type="submit" variant="primary" isDisabled={!ready} isPending={isPending}>
          {interrupts.length === 1 ? 'Answer' : 'Answer all'}
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
  onChange: (draft: AnswerDraft) => void;
  autoFocus: boolean;
}) {
  // Text that was typed before the switch becomes a JSON string.
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

/** Returns null while the answer is incomplete. */
function completeAnswer(draft: AnswerDraft): { value: unknown } | null {
  if (draft.form === 'review') {
    const decisions = completeDecisions(draft.decisions);
    return decisions === null ? null : { value: draft.review.answer(decisions) };
  }
  if (draft.form === 'text') return draft.text.trim() === '' ? null : { value: draft.text };
  const { value } = readJson(draft.text);
  return value === undefined ? null : { value };
}
