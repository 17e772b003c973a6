import { useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { queues, type FeedbackConfig } from '../api/queues.js';
import { Button, IconButton } from '../components/button.js';
import { Checkbox, Select, TextArea, TextField } from '../components/field.js';
import { NumberField } from '../components/number-field.js';
import { ErrorNote } from '../components/note.js';
import { SearchableSelect } from '../components/searchable-select.js';
import {
  choicesProblem,
  configOf,
  describeConfig,
  itemProblem,
  newItem,
  rangeProblem,
  type AnswerType,
  type ItemDraft,
  type QueueDraft,
} from './rubric.js';
import styles from './queue-fields.module.css';

const TYPE_OPTIONS: readonly { id: AnswerType; name: string }[] = [
  { id: 'continuous', name: 'Number' },
  { id: 'categorical', name: 'Choice' },
  { id: 'freeform', name: 'Text' },
];
/** Feedback keys in the list at once. Typing narrows the list. */
const KEYS_OFFERED_MAX = 30;
/** Most items that the server accepts. */
const ITEMS_MAX = 100;
const KEY_CHARS_MAX = 180;

/** The configurations of all feedback keys. A caller who may not read them sees an error and none. */
export function useFeedbackConfigs() {
  const found = useQuery({
    queryKey: ['queues', 'feedback-configs'],
    queryFn: ({ signal }) => queues.feedbackConfigs(signal),
  });
  return { error: found.error, configs: found.data ?? (found.error === null ? null : []), refetch: found.refetch };
}

/** Fields of an annotation queue: name, description, instructions and rubric. */
export function QueueFields({ draft, onDraft }: { draft: QueueDraft; onDraft: (draft: QueueDraft) => void }) {
  const { error, configs, refetch } = useFeedbackConfigs();
  const keys = useRef<HTMLDivElement>(null);
  const added = useRef<number | null>(null);
  useEffect(() => {
    // A new item is at the end of the rubric. Its first field gets the focus.
    if (added.current === null) return;
    added.current = null;
    keys.current?.querySelector<HTMLElement>('fieldset:last-of-type input')?.focus();
  }, [draft.items.length]);
  const changeItem = (changed: ItemDraft): void =>
    onDraft({ ...draft, items: draft.items.map((item) => (item.id === changed.id ? changed : item)) });
  return (
    <>
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => onDraft({ ...draft, name })}
        isRequired
        validationBehavior="aria"
        autoFocus
      />
      <TextArea
        label="Description"
        rows={2}
        value={draft.description}
        onChange={(description) => onDraft({ ...draft, description })}
      />
      <TextArea
        label="Instructions"
        rows={3}
        value={draft.instructions}
        onChange={(instructions) => onDraft({ ...draft, instructions })}
        help="Reviewers see them above the fields of the rubric."
      />
      <div className="stack" role="group" aria-label="Rubric" ref={keys}>
        <div>
          <h3>Rubric</h3>
          <p className="soft">
            {draft.items.length === 0
              ? 'Without a rubric, reviewers give one number under the key “score”.'
              : 'Reviewers give feedback under each key.'}
          </p>
        </div>
        {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
        {draft.items.map((item, index) => (
          <ItemFields
            key={item.id}
            item={item}
            index={index}
            problem={itemProblem(item, draft.items)}
            configs={configs ?? []}
            onChange={changeItem}
            onRemove={() => onDraft({ ...draft, items: draft.items.filter(({ id }) => id !== item.id) })}
          />
        ))}
        <div className="row">
          <Button
            small
            isDisabled={draft.items.length >= ITEMS_MAX}
            onPress={() => {
              const item = newItem();
              added.current = item.id;
              onDraft({ ...draft, items: [...draft.items, item] });
            }}
          >
            <Plus size={14} aria-hidden />
            Add feedback key
          </Button>
        </div>
      </div>
    </>
  );
}

function ItemFields({
  item,
  index,
  problem,
  configs,
  onChange,
  onRemove,
}: {
  item: ItemDraft;
  index: number;
  problem: string | null;
  configs: readonly FeedbackConfig[];
  onChange: (item: ItemDraft) => void;
  onRemove: () => void;
}) {
  const known = configOf(item.key, configs);
  const typed = item.key.trim().toLowerCase();
  const offered = configs
    .filter(({ feedback_key: key }) => known !== undefined || key.toLowerCase().includes(typed))
    .slice(0, KEYS_OFFERED_MAX)
    .map(({ feedback_key: key }) => ({ id: key, name: key }));
  return (
    <fieldset className={styles['item']}>
      <legend className="visually-hidden">Feedback key {index + 1}</legend>
      <div className={styles['head']}>
        <SearchableSelect
          label="Feedback key"
          text={item.key}
          onTextChange={(key) => onChange({ ...item, key: key.slice(0, KEY_CHARS_MAX) })}
          options={offered}
          selectedId={known?.feedback_key ?? null}
          onSelect={(key) => onChange({ ...item, key })}
          placeholder="correctness"
          emptyText={null}
          error={problem}
          isRequired
          {...(known === undefined ? {} : { help: describeConfig(known) })}
        />
        {known === undefined ? (
          <Select
            label="Answer"
            options={TYPE_OPTIONS}
            value={item.type}
            onChange={(type) => onChange({ ...item, type: type as AnswerType })}
          />
        ) : null}
        <IconButton label={`Remove feedback key ${index + 1}`} onPress={onRemove}>
          <Trash2 size={15} aria-hidden />
        </IconButton>
      </div>
      {known !== undefined || item.type === 'freeform' ? null : item.type === 'categorical' ? (
        <TextField
          label="Choices"
          value={item.choices}
          onChange={(choices) => onChange({ ...item, choices })}
          placeholder="wrong, partly right, right"
          error={choicesProblem(item)}
          help="Separated by commas. Their scores are 0, 1, 2 and so on."
          isRequired
          validationBehavior="aria"
        />
      ) : (
        <div className={styles['range']}>
          <NumberField label="Lowest score" value={item.min} onChange={(min) => onChange({ ...item, min })} />
          <NumberField
            label="Highest score"
            value={item.max}
            onChange={(max) => onChange({ ...item, max })}
            error={rangeProblem(item)}
          />
        </div>
      )}
      <TextField
        label="Question for reviewers"
        value={item.description}
        onChange={(description) => onChange({ ...item, description })}
      />
      <Checkbox value={item.isRequired} onChange={(isRequired) => onChange({ ...item, isRequired })}>
        Required
      </Checkbox>
    </fieldset>
  );
}
