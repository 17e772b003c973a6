import type { FeedbackConfig, Queue, QueueChanges, QueueWithRubric, RubricItem } from '../api/queues.js';
import { queues } from '../api/queues.js';
import { formatNumber } from '../components/format.js';

export type AnswerType = FeedbackConfig['feedback_config']['type'];

/** An item of a rubric while it is edited. */
export interface ItemDraft {
  /** Identifies the row of the form. */
  id: number;
  key: string;
  description: string;
  isRequired: boolean;
  type: AnswerType;
  min: number | null;
  max: number | null;
  /** Names of the choices, separated by commas. Their scores are 0, 1, 2 and so on. */
  choices: string;
  /** Members of the item that the form does not show. They are sent back unchanged. */
  rest: Readonly<Record<string, unknown>>;
}

export interface QueueDraft {
  name: string;
  description: string;
  instructions: string;
  items: readonly ItemDraft[];
}

let lastId = 0;

export function newItem(): ItemDraft {
  lastId += 1;
  return {
    id: lastId,
    key: '',
    description: '',
    isRequired: false,
    type: 'continuous',
    min: null,
    max: null,
    choices: '',
    rest: {},
  };
}

export function draftOf(queue: QueueWithRubric | null): QueueDraft {
  return {
    name: queue?.name ?? '',
    description: queue?.description ?? '',
    instructions: queue?.rubric_instructions ?? '',
    items: (queue?.rubric_items ?? []).map((item: RubricItem): ItemDraft => {
      const { feedback_key: key, description, is_required: isRequired, feedback_config: _config, ...rest } = item;
      return { ...newItem(), key, description: description ?? '', isRequired: isRequired === true, rest };
    }),
  };
}

/** Null if the item can be saved. */
export function itemProblem(item: ItemDraft, items: readonly ItemDraft[]): string | null {
  const key = item.key.trim();
  const first = items.find((one) => one.key.trim() === key);
  return key !== '' && first !== item ? 'This key is already in the rubric.' : null;
}

/** Null if the choices of a new key can be saved. */
export function choicesProblem({ choices }: ItemDraft): string | null {
  const names = choiceNames(choices);
  if (new Set(names).size < names.length) return 'Each choice needs a name of its own.';
  return choices.trim() !== '' && names.length < 2 ? 'Write at least two choices, separated by commas.' : null;
}

/** Null if the range of a new key can be saved. */
export function rangeProblem({ min, max }: ItemDraft): string | null {
  return min !== null && max !== null && min >= max ? 'Must be more than the lowest score.' : null;
}

export function isComplete(draft: QueueDraft, configs: readonly FeedbackConfig[]): boolean {
  return (
    draft.name.trim() !== '' &&
    draft.items.every(
      (item) =>
        item.key.trim() !== '' &&
        itemProblem(item, draft.items) === null &&
        (configOf(item.key, configs) !== undefined ||
          ((item.type !== 'categorical' || (item.choices.trim() !== '' && choicesProblem(item) === null)) &&
            (item.type !== 'continuous' || rangeProblem(item) === null))),
    )
  );
}

/** The configuration that a key already has. */
export function configOf(key: string, configs: readonly FeedbackConfig[]): FeedbackConfig | undefined {
  return configs.find(({ feedback_key: known }) => known === key.trim());
}

/** Creates the queue, or changes the one with this id. Keys without a configuration get one first. */
export async function saveQueue(
  id: string | null,
  draft: QueueDraft,
  configs: readonly FeedbackConfig[],
): Promise<Queue> {
  for (const item of draft.items) {
    const config = configOf(item.key, configs) === undefined ? newConfig(item) : null;
    if (config !== null) await queues.createFeedbackConfig(config);
  }
  const body: QueueChanges = {
    name: draft.name.trim(),
    description: textOrNull(draft.description),
    rubric_instructions: textOrNull(draft.instructions),
    rubric_items:
      draft.items.length === 0
        ? null
        : draft.items.map(({ key, description, isRequired, rest }) => ({
            ...rest,
            feedback_key: key.trim(),
            description: textOrNull(description),
            is_required: isRequired,
          })),
  };
  return id === null ? queues.create(body) : queues.update(id, body);
}

/** Null for any number: that is how keys without a configuration are scored. */
function newConfig({ key, type, min, max, choices }: ItemDraft): FeedbackConfig | null {
  if (type === 'continuous' && min === null && max === null) return null;
  return {
    feedback_key: key.trim(),
    feedback_config:
      type === 'continuous'
        ? { type, ...(min === null ? {} : { min }), ...(max === null ? {} : { max }) }
        : type === 'categorical'
          ? { type, categories: choiceNames(choices).map((label, value) => ({ value, label })) }
          : { type },
  };
}

function choiceNames(choices: string): string[] {
  return choices
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

/** One sentence about how feedback under a configured key is given. */
export function describeConfig({ feedback_config: { type, min, max, categories } }: FeedbackConfig): string {
  if (type === 'freeform') return 'Text.';
  if (type === 'categorical')
    return `One of: ${(categories ?? []).map(({ label, value }) => label ?? formatNumber(value)).join(', ')}.`;
  const [low, high] = [min ?? null, max ?? null];
  if (low !== null && high !== null) return `A number from ${formatNumber(low)} to ${formatNumber(high)}.`;
  if (low !== null) return `A number of at least ${formatNumber(low)}.`;
  return high === null ? 'A number.' : `A number of at most ${formatNumber(high)}.`;
}
