import { contains, isObject, isTooDeep } from '../../src/base/json/json.js';
import { FilterSyntaxError, parseFilterTree, quote, type FilterPart, type FilterValue } from './filter-parse.js';
import { containsText, isNone, leaves, scalar, textOf, valueTest, type Kind } from './filter-values.js';

export { FilterSyntaxError, type FilterValue } from './filter-parse.js';

/** The interface through which a filter reads a run. `undefined` and null mean that the run has no value. */
export interface FilterSubject {
  /**
   * A field of RUN_FIELDS: times in microseconds, latency in seconds, costs as numbers or decimal text, inputs
   * and outputs as JSON text.
   */
  field(name: string): FilterValue | undefined;
  tags(): readonly string[];
  /** The parsed metadata object. */
  metadata(): Record<string, unknown>;
  feedback(): readonly { key: string; score: number | null; label: string | null }[];
  /** The text that `search("...")` looks in: name, inputs, outputs and error. */
  text(): string;
}

/** A pure function: it keeps no state between calls. */
export type RunFilter = (subject: FilterSubject) => boolean;

/**
 * LangSmith's filter language for runs: eq neq gt gte lt lte in like has exists search and or not, over the
 * fields below. Throws FilterSyntaxError, also for unknown fields and functions.
 *
 * `x_key` and `x_value` test one entry of feedback, metadata, inputs or outputs. Conditions in the same `and`
 * apply to the same entry, until a second eq or in on the key starts the next entry. Elsewhere they mean "any
 * entry", so "no feedback has this key" is not(eq(feedback_key, ...)).
 */
export function parseFilter(text: string): RunFilter {
  const test = ofRun(compile(parseFilterTree(text)));
  return (subject) => test(new View(subject));
}

const RUN_FIELDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['id', 'id'],
  ['trace_id', 'id'],
  ['parent_run_id', 'id'],
  ['session_id', 'id'],
  ['reference_example_id', 'id'],
  ['thread_id', 'text'],
  ['name', 'text'],
  ['inputs', 'text'],
  ['outputs', 'text'],
  ['error', 'error'],
  ['run_type', 'word'],
  ['status', 'word'],
  ['is_root', 'flag'],
  ['latency', 'seconds'],
  ['start_time', 'time'],
  ['end_time', 'time'],
  ['first_token_time', 'time'],
  ['total_tokens', 'number'],
  ['prompt_tokens', 'number'],
  ['completion_tokens', 'number'],
  ['total_cost', 'number'],
  ['prompt_cost', 'number'],
  ['completion_cost', 'number'],
]);

type Scope = 'feedback' | 'metadata' | 'inputs' | 'outputs';
interface Entry {
  key: string;
  value: FilterValue | undefined;
  score?: number | null;
}
type Field = { scope: null; name: string; kind: Kind } | { scope: Scope; of: keyof Entry; kind: Kind };

const ENTRY_FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['feedback_key', { scope: 'feedback', of: 'key', kind: 'text' }],
  ['feedback_score', { scope: 'feedback', of: 'score', kind: 'number' }],
  ['feedback_value', { scope: 'feedback', of: 'value', kind: 'loose' }],
  ['metadata_key', { scope: 'metadata', of: 'key', kind: 'text' }],
  ['metadata_value', { scope: 'metadata', of: 'value', kind: 'loose' }],
  ['input_key', { scope: 'inputs', of: 'key', kind: 'text' }],
  ['input_value', { scope: 'inputs', of: 'value', kind: 'loose' }],
  ['output_key', { scope: 'outputs', of: 'key', kind: 'text' }],
  ['output_value', { scope: 'outputs', of: 'value', kind: 'loose' }],
]);

/**
 * One run during the evaluation of one filter. Entries and lower-case text are computed once, and only when
 * needed.
 */
class View {
  readonly #entries = new Map<Scope, readonly Entry[]>();
  #text: string | null = null;

  constructor(readonly subject: FilterSubject) {}

  entries(scope: Scope): readonly Entry[] {
    let entries = this.#entries.get(scope);
    if (entries === undefined) this.#entries.set(scope, (entries = this.#make(scope)));
    return entries;
  }

  text(): string {
    return (this.#text ??= this.subject.text().toLowerCase());
  }

  #make(scope: Scope): readonly Entry[] {
    switch (scope) {
      case 'feedback':
        return this.subject.feedback().map(({ key, label, score }) => ({ key, value: label, score }));
      case 'metadata':
        return Object.entries(this.subject.metadata()).map(([key, value]) => ({ key, value: scalar(value) }));
      default:
        return leaves(this.subject.field(scope));
    }
  }
}

type RunTest = (view: View) => boolean;
type EntryTest = (entry: Entry) => boolean;
/** `keyed`: the condition fixes the key, so no entry can match two different ones. */
type Condition = { scope: null; test: RunTest } | { scope: Scope; keyed: boolean; test: EntryTest };
type Call = Extract<FilterPart, { type: 'call' }>;

const FUNCTIONS: ReadonlyMap<string, (call: Call) => Condition> = new Map<string, (call: Call) => Condition>([
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'like'].map((name) => [name, comparison] as const),
  ['and', and],
  ['or', or],
  ['not', not],
  ['has', has],
  ['exists', exists],
  ['search', search],
]);

function compile(part: FilterPart): Condition {
  if (part.type !== 'call')
    throw new FilterSyntaxError(
      `expected a condition like eq(name, "x")${part.type === 'word' ? `, found ${quote(part.name)}` : ''}`,
      part.at,
    );
  const make = FUNCTIONS.get(part.name);
  if (make === undefined) throw new FilterSyntaxError(`unknown function ${quote(part.name)}`, part.at);
  return make(part);
}

/** Converts the condition to one on the whole run: any entry matches. */
function ofRun(condition: Condition): RunTest {
  if (condition.scope === null) return condition.test;
  const { scope, test } = condition;
  return (view) => view.entries(scope).some(test);
}

function and(call: Call): Condition {
  const tests: RunTest[] = [];
  const groups: { scope: Scope; keyed: boolean; tests: EntryTest[] }[] = [];
  for (const condition of conditions(call)) {
    if (condition.scope === null) {
      tests.push(condition.test);
      continue;
    }
    const { scope, keyed, test } = condition;
    const group = groups.findLast((one) => one.scope === scope);
    if (group === undefined || (group.keyed && keyed)) groups.push({ scope, keyed, tests: [test] });
    else {
      group.keyed ||= keyed;
      group.tests.push(test);
    }
  }
  // Fields of the run are cheap, while entries must be computed, so entries are tested last.
  for (const { scope, tests: all } of groups)
    tests.push((view) => view.entries(scope).some((entry) => all.every((test) => test(entry))));
  return { scope: null, test: (view) => tests.every((test) => test(view)) };
}

/**
 * Alternatives about one kind of entry stay an entry condition, so that an enclosing `and` can combine them
 * with others.
 */
function or(call: Call): Condition {
  const all = conditions(call);
  const scope = all[0]!.scope;
  const entry = all.flatMap((one) => (one.scope !== null && one.scope === scope ? [one] : []));
  if (scope !== null && entry.length === all.length) {
    return {
      scope,
      keyed: entry.every(({ keyed }) => keyed),
      test: (target) => entry.some(({ test }) => test(target)),
    };
  }
  const tests = all.map(ofRun);
  return { scope: null, test: (view) => tests.some((test) => test(view)) };
}

function not(call: Call): Condition {
  const test = ofRun(compile(args(call, 1, 'one condition')[0]!));
  return { scope: null, test: (view) => !test(view) };
}

function comparison(call: Call): Condition {
  const [word, written] = args(call, 2, 'a field and a value');
  const field = fieldOf(word!);
  const test = valueTest(call.name, field.kind, written!);
  if (field.scope === null) return { scope: null, test: (view) => test(view.subject.field(field.name)) };
  const keyed = field.of === 'key' && (call.name === 'eq' || call.name === 'in');
  return { scope: field.scope, keyed, test: (entry) => test(entry[field.of]) };
}

/** has(tags, "x") tests for a tag. has(metadata, '{"a": "b"}') tests for JSON containment. */
function has(call: Call): Condition {
  const [word, written] = args(call, 2, 'tags or metadata, and a text');
  const name = wordOf(word!);
  const text = textOf(written!, 'has needs a text in quotes');
  if (name === 'tags') return { scope: null, test: ({ subject }) => subject.tags().includes(text) };
  if (name !== 'metadata') throw new FilterSyntaxError(`has searches tags or metadata, not ${quote(name)}`, word!.at);
  const wanted = objectOf(text);
  if (wanted === null)
    throw new FilterSyntaxError(
      `has(metadata, ...) needs a JSON object of at most ${HAS_LEVELS_MAX} levels in quotes`,
      written!.at,
    );
  return { scope: null, test: ({ subject }) => contains(subject.metadata(), wanted) };
}

/** exists(field): the run has a value. exists(metadata, "key"): its metadata has the key. */
function exists(call: Call): Condition {
  const [word, key] = args(call, call.args.length === 2 ? 2 : 1, 'a field, or metadata and a key');
  const name = wordOf(word!);
  if (key !== undefined) {
    if (name !== 'metadata')
      throw new FilterSyntaxError(`exists can test for a key in metadata, not in ${quote(name)}`, word!.at);
    const text = textOf(key, 'exists needs the key in quotes');
    return { scope: null, test: ({ subject }) => Object.hasOwn(subject.metadata(), text) };
  }
  if (name === 'tags') return { scope: null, test: ({ subject }) => subject.tags().length > 0 };
  if (name === 'metadata') return { scope: null, test: (view) => view.entries('metadata').length > 0 };
  const field = fieldOf(word!);
  if (field.scope === null) return { scope: null, test: ({ subject }) => !isNone(subject.field(field.name)) };
  return { scope: field.scope, keyed: false, test: (entry) => !isNone(entry[field.of]) };
}

/**
 * search("text") searches the run's text, search(field, "text") one field. Matches parts of the text and
 * ignores case.
 */
function search(call: Call): Condition {
  const [first, second] = args(call, call.args.length === 2 ? 2 : 1, 'a text, or a field and a text');
  const needle = textOf(second ?? first!, 'search needs a text in quotes');
  const lower = needle.toLowerCase();
  if (second === undefined) return { scope: null, test: (view) => view.text().includes(lower) };
  const name = wordOf(first!);
  const test = containsText(needle);
  if (name === 'tags') return { scope: null, test: ({ subject }) => subject.tags().some(test) };
  if (name === 'metadata')
    return { scope: null, test: (view) => view.entries('metadata').some(({ key, value }) => test(key) || test(value)) };
  const field = fieldOf(first!);
  if (field.scope === null) return { scope: null, test: ({ subject }) => test(subject.field(field.name)) };
  return { scope: field.scope, keyed: false, test: (entry) => test(entry[field.of]) };
}

const HAS_LEVELS_MAX = 32;

/** Null when the text is not a JSON object or nested too deep. `contains` recurses to the same depth. */
function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !isTooDeep(value, HAS_LEVELS_MAX) ? value : null;
  } catch {
    return null;
  }
}

function fieldOf(part: FilterPart): Field {
  const name = wordOf(part);
  const kind = RUN_FIELDS.get(name);
  const field = kind === undefined ? ENTRY_FIELDS.get(name) : { scope: null, name, kind };
  if (field !== undefined) return field;
  const hint =
    name === 'tags'
      ? '; use has(tags, "x")'
      : name === 'metadata'
        ? '; use metadata_key and metadata_value, or has(metadata, ...)'
        : '';
  throw new FilterSyntaxError(`${hint === '' ? 'unknown field' : 'cannot compare'} ${quote(name)}${hint}`, part.at);
}

function wordOf(part: FilterPart): string {
  if (part.type === 'word') return part.name;
  throw new FilterSyntaxError('expected the name of a field, without quotes', part.at);
}

function conditions(call: Call): Condition[] {
  if (call.args.length === 0) throw new FilterSyntaxError(`${call.name} needs at least one condition`, call.at);
  return call.args.map(compile);
}

function args(call: Call, count: number, what: string): FilterPart[] {
  if (call.args.length === count) return call.args;
  throw new FilterSyntaxError(`${call.name} needs ${what}; found ${call.args.length} arguments`, call.at);
}
