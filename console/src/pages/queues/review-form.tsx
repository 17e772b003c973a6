import { useRef, useState } from 'react';
import { queues, type GivenFeedback, type QueuedRun, type RubricItem } from '../../api/queues.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { Select, TextArea } from '../../components/field.js';
import { NumberField } from '../../components/number-field.js';
import { REVIEW, useDenial } from '../../components/needs.js';
import { DenialNote, ErrorNote } from '../../components/note.js';
import styles from './queues.module.css';

/** The key under which clients read comments on a run as a whole. */
const NOTE_KEY = 'note';
const NONE = '';

/** What is scored in a queue without a rubric. */
const DEFAULT_ITEMS: readonly RubricItem[] = [{ feedback_key: 'score', feedback_config: null }];

/** Answers by feedback key: a number, or text. */
type Answers = Readonly<Record<string, number | string | null>>;

/** Fields of the rubric for one run. Done stores the feedback and completes the review. */
export function ReviewForm({
  run,
  items,
  isDisabled,
  onDone,
  onSkip,
}: {
  run: QueuedRun;
  items: readonly RubricItem[] | null;
  /** While another run is being loaded. */
  isDisabled: boolean;
  onDone: () => Promise<void>;
  onSkip: () => void;
}) {
  const [answers, setAnswers] = useState<Answers>({});
  const [note, setNote] = useState('');
  const { error, isPending, execute } = useAsyncAction();
  // Ids by key: another attempt after an error changes what the first one stored.
  const storedIds = useRef(new Map<string, string>());
  const shown = items === null || items.length === 0 ? DEFAULT_ITEMS : items;
  const denial = useDenial(REVIEW);
  if (denial !== null)
    return (
      <>
        <DenialNote what="review runs" denial={denial} />
        <div className="row">
          <Button onPress={onSkip} isDisabled={isDisabled}>
            Skip
          </Button>
        </div>
      </>
    );
  const isMissing = shown.some((item) => item.is_required === true && !isAnswered(answers[item.feedback_key]));
  const submit = (): Promise<void> =>
    execute(async () => {
      for (const feedback of feedbackOf(shown, answers, note)) {
        const id = storedIds.current.get(feedback.key);
        if (id === undefined) storedIds.current.set(feedback.key, (await queues.giveFeedback(run.id, feedback)).id);
        else await queues.changeFeedback(id, feedback);
      }
      await queues.complete(run.queue_run_id);
      await onDone();
    });
  return (
    <form
      className={`stack ${styles['form']}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isMissing) void submit();
      }}
    >
      {shown.map((item) => (
        <RubricField
          key={item.feedback_key}
          item={item}
          answer={answers[item.feedback_key] ?? null}
          onAnswer={(answer) => setAnswers((before) => ({ ...before, [item.feedback_key]: answer }))}
        />
      ))}
      <TextArea label="Note" value={note} onChange={setNote} rows={3} />
      {error === null ? null : <ErrorNote error={error} />}
      <div className="row">
        <Button type="submit" variant="primary" isPending={isPending} isDisabled={isMissing || isDisabled}>
          Done
        </Button>
        <Button onPress={onSkip} isDisabled={isDisabled}>
          Skip
        </Button>
      </div>
    </form>
  );
}

function RubricField({
  item,
  answer,
  onAnswer,
}: {
  item: RubricItem;
  answer: number | string | null;
  onAnswer: (answer: number | string | null) => void;
}) {
  const config = item.feedback_config?.feedback_config;
  const label = `${item.feedback_key}${item.is_required === true ? ' (required)' : ''}`;
  const help = item.description ?? undefined;
  const common = { label, ...(help === undefined ? {} : { help }) };
  if (config?.type === 'freeform')
    return <TextArea {...common} value={typeof answer === 'string' ? answer : ''} onChange={onAnswer} rows={2} />;
  if (config?.type === 'categorical')
    return (
      <Select
        {...common}
        value={answer === null ? NONE : String(answer)}
        onChange={(id) => onAnswer(id === NONE ? null : Number(id))}
        options={[
          { id: NONE, name: 'No answer' },
          ...(config.categories ?? []).map(({ value, label: name }) => ({
            id: String(value),
            name: name ?? String(value),
          })),
        ]}
      />
    );
  return (
    <NumberField
      {...common}
      value={typeof answer === 'number' ? answer : null}
      onChange={onAnswer}
      {...(config?.min == null ? {} : { min: config.min })}
      {...(config?.max == null ? {} : { max: config.max })}
    />
  );
}

function isAnswered(answer: number | string | null | undefined): boolean {
  return answer !== undefined && answer !== null && answer !== '';
}

function feedbackOf(items: readonly RubricItem[], answers: Answers, note: string): GivenFeedback[] {
  const given = items.flatMap((item): GivenFeedback[] => {
    const answer = answers[item.feedback_key];
    if (!isAnswered(answer)) return [];
    if (typeof answer === 'string') return [{ key: item.feedback_key, value: answer }];
    const { categories } = item.feedback_config?.feedback_config ?? {};
    const label = categories?.find(({ value }) => value === answer)?.label;
    return [{ key: item.feedback_key, score: answer!, ...(label == null ? {} : { value: label }) }];
  });
  return note.trim() === '' ? given : [...given, { key: NOTE_KEY, comment: note.trim() }];
}
