import { useState } from 'react';
import { prettyJson } from '../api/json.js';
import { useAsyncAction } from '../components/async-action.js';
import { Button, ToggleButton } from '../components/button.js';
import { Checkbox, TextArea } from '../components/field.js';
import { JsonEditor } from '../components/json-editor.js';
import { readJson } from '../components/read-json.js';
import { RUN, useDenial } from '../components/needs.js';
import { DenialNote, ErrorNote } from '../components/note.js';
import { initialValue, type JsonSchema } from '../schema/model.js';
import { SchemaForm, type FormState } from '../schema/schema-form.js';
import { Decisions, completeDecisions, initialDrafts, isImmediate, type DecisionDraft } from './decisions.js';
import { answerShapeOf, type AnswerChoice, type AnswerShape } from './interrupt-answer.js';
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
  | { form: 'choices'; choices: readonly AnswerChoice[]; chosen: number | null }
  | { form: 'schema'; schema: JsonSchema; value: unknown; state: FormState }
  | { form: 'review'; review: Review; decisions: readonly DecisionDraft[] };

const EMPTY_TEXT: AnswerDraft = { form: 'text', text: '' };

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
  const shapes = interrupts.map(({ value }) => answerShapeOf(value));
  const [drafts, setDrafts] = useState<readonly AnswerDraft[]>(() =>
    interrupts.map(({ value }, at) => firstDraft(value, shapes[at]!)),
  );
  // Also show which values of a schema are missing. Set after the first attempt to answer.
  const [isAttempted, setAttempted] = useState(false);
  const { error, isPending, execute } = useAsyncAction();
  const denial = useDenial(RUN);
  if (denial !== null)
    return (
      <div className={styles['questions']}>
        {interrupts.map(({ id, value }, at) => (
          <div key={id ?? at} className={styles['question']} role="group" aria-label="Question">
            <InterruptValue value={value} omitted={null} />
          </div>
        ))}
        <DenialNote what="answer" denial={denial} />
      </div>
    );
  const isOnly = interrupts.length === 1;
  const isReady = (all: readonly AnswerDraft[]): boolean =>
    !isDisabled && !isPending && all.map(completeAnswer).every((one) => one !== null);
  const send = (all: readonly AnswerDraft[]): void => {
    if (!isReady(all)) return;
    if (all.some((draft) => draft.form === 'schema' && draft.state.problems.length > 0)) return setAttempted(true);
    void execute(async () => {
      const values = all.map((one) => completeAnswer(one)!.value);
      const keyed = byId && interrupts.every(({ id }) => typeof id === 'string');
      await onAnswer(keyed ? Object.fromEntries(values.map((value, at) => [interrupts[at]!.id, value])) : values[0]);
    });
    return undefined;
  };
  const [first] = drafts;
  const isSingleDecision = isOnly && first?.form === 'review' && first.decisions.length === 1;
  const hasButton = !isOnly || !answersAtOnce(drafts[0]!);
  return (
    <form
      className={styles['questions']}
      onSubmit={(event) => {
        event.preventDefault();
        send(drafts);
      }}
      onKeyDownCapture={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isReady(drafts)) {
          event.preventDefault();
          send(drafts);
        }
      }}
    >
      {interrupts.map(({ id, value }, at) => {
        const draft = drafts[at]!;
        const shape = shapes[at]!;
        const withDraft = (next: AnswerDraft): AnswerDraft[] => drafts.map((one, place) => (place === at ? next : one));
        const change = (next: AnswerDraft): void => setDrafts(withDraft(next));
        const answer = (next: AnswerDraft): void => {
          change(next);
          if (isOnly) send(withDraft(next));
        };
        const label = isOnly ? 'Your answer' : `Answer ${at + 1}`;
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
                onChosen={isOnly ? (decisions) => answer({ ...draft, decisions }) : null}
              />
            ) : (
              <>
                <InterruptValue value={value} omitted={shape?.property ?? null} />
                {draft.form === 'choices' ? (
                  <Choices
                    label={label}
                    draft={draft}
                    isDisabled={isDisabled || isPending}
                    isOnly={isOnly}
                    onChoose={(chosen) => answer({ ...draft, chosen })}
                  />
                ) : draft.form === 'schema' ? (
                  <SchemaForm
                    label={label}
                    schema={draft.schema}
                    value={draft.value}
                    onChange={(next) => change({ ...draft, value: next })}
                    // Reported after each render. Only another state is a change.
                    onState={(state) => setDrafts((all) => withFormState(all, at, state))}
                    strict={isAttempted}
                    autoFocus={autoFocus && at === 0}
                  />
                ) : (
                  <Answer label={label} draft={draft} onChange={change} autoFocus={autoFocus && at === 0} />
                )}
                {shape === null ? null : (
                  <div>
                    <Button
                      small
                      variant="quiet"
                      onPress={() => change(draft.form === shape.kind ? EMPTY_TEXT : firstDraft(value, shape))}
                    >
                      {draft.form !== shape.kind
                        ? 'Back to the offered answers'
                        : shape.kind === 'choices'
                          ? 'Another answer'
                          : 'Answer without the form'}
                    </Button>
                  </div>
                )}
              </>
            )}
          </div>
        );
      })}
      {error === null ? null : <ErrorNote error={error} />}
      {hasButton ? (
        <div className="row">
          <Button type="submit" variant="primary" isDisabled={!isReady(drafts)} isPending={isPending}>
            {!isOnly ? 'Answer all' : isSingleDecision ? 'Send decision' : 'Answer'}
          </Button>
        </div>
      ) : null}
    </form>
  );
}

function withFormState(drafts: readonly AnswerDraft[], at: number, state: FormState): readonly AnswerDraft[] {
  const draft = drafts[at]!;
  if (draft.form !== 'schema' || (draft.state.broken === state.broken && draft.state.problems === state.problems))
    return drafts;
  return drafts.map((one, place) => (place === at ? { ...draft, state } : one));
}

function firstDraft(value: unknown, shape: AnswerShape | null): AnswerDraft {
  const review = reviewOf(value);
  if (review !== null) return { form: 'review', review, decisions: initialDrafts(review) };
  if (shape?.kind === 'choices') return { form: 'choices', choices: shape.choices, chosen: null };
  if (shape?.kind === 'schema')
    return {
      form: 'schema',
      schema: shape.schema,
      value: initialValue(shape.schema, shape.schema, true),
      state: { broken: null, problems: [] },
    };
  return EMPTY_TEXT;
}

/** Buttons for the offered answers. For a single question each of them answers at once. */
function Choices({
  label,
  draft: { choices, chosen },
  isDisabled,
  isOnly,
  onChoose,
}: {
  label: string;
  draft: { choices: readonly AnswerChoice[]; chosen: number | null };
  isDisabled: boolean;
  isOnly: boolean;
  onChoose: (at: number | null) => void;
}) {
  const isList = choices.some(({ description }) => description !== null);
  return (
    <div role="group" aria-label={label} className={isList ? styles['choiceList'] : styles['choices']}>
      {choices.map(({ name, description }, at) => (
        <div key={at} className={styles['choice']}>
          {isOnly ? (
            <Button isDisabled={isDisabled} onPress={() => onChoose(at)}>
              <span dir="auto">{name}</span>
            </Button>
          ) : (
            <ToggleButton
              isDisabled={isDisabled}
              isSelected={chosen === at}
              onChange={(isChosen) => onChoose(isChosen ? at : null)}
            >
              <span dir="auto">{name}</span>
            </ToggleButton>
          )}
          {description === null ? null : (
            <span className="soft" dir="auto">
              {description}
            </span>
          )}
        </div>
      ))}
    </div>
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
  switch (draft.form) {
    case 'review': {
      const decisions = completeDecisions(draft.decisions);
      return decisions === null ? null : { value: draft.review.answer(decisions) };
    }
    case 'choices':
      return draft.chosen === null ? null : { value: draft.choices[draft.chosen]!.value };
    case 'schema':
      return draft.state.broken !== null || draft.value === undefined ? null : { value: draft.value };
    case 'text':
      return draft.text.trim() === '' ? null : { value: draft.text };
    case 'json': {
      const { value } = readJson(draft.text);
      return value === undefined ? null : { value };
    }
  }
}

/** Whether a single question has buttons that answer it, so that it needs no other. */
function answersAtOnce(draft: AnswerDraft): boolean {
  if (draft.form === 'choices') return true;
  if (draft.form !== 'review' || draft.decisions.length > 1) return false;
  const { kind } = draft.decisions[0]!;
  return kind === null || isImmediate(kind);
}
