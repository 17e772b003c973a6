import { isObject, type JsonObject } from '../base/json/json.js';

/** What a person decided about an action that a graph proposed, or answered to a question. */
export interface HumanAnswer {
  /** `approve`, `edit`, `reject`, `respond`, or a short plain answer; null for one that is none of these. */
  value: string | number | boolean | null;
  /** 1: as proposed; 0: not. Null for an answer that does not say it. */
  score: 0 | 1 | null;
  /** The action as the person wants it. */
  correction: JsonObject | null;
  comment: string | null;
}

/** Words for the same decision: those of LangChain's middleware, and those of agent-inbox. */
const KINDS: Readonly<Record<string, { value: string; score: 0 | 1 | null }>> = {
  approve: { value: 'approve', score: 1 },
  accept: { value: 'approve', score: 1 },
  edit: { value: 'edit', score: 0 },
  reject: { value: 'reject', score: 0 },
  ignore: { value: 'reject', score: 0 },
  respond: { value: 'respond', score: 0 },
  response: { value: 'respond', score: 0 },
};

/** True for a value that says what was decided, not what the person wrote. */
export function isDecision(value: HumanAnswer['value']): boolean {
  return typeof value === 'boolean' || Object.values(KINDS).some((kind) => kind.value === value);
}

/** Longer answers are texts, not labels. */
const VALUE_CHARS_MAX = 200;
/** A person does not decide about more actions at once. */
const ANSWERS_MAX = 100;
const INTERRUPT_ID = /^[0-9a-f]{32}$/;

/** The answers in the `resume` of a command, which may also be an object with an answer for each interrupt. */
export function humanAnswers(resume: unknown): HumanAnswer[] {
  const byInterrupt =
    isObject(resume) && Object.keys(resume).length > 0 && Object.keys(resume).every((id) => INTERRUPT_ID.test(id));
  const answers = byInterrupt ? Object.values(resume) : [resume];
  return answers.flatMap(answersOf).slice(0, ANSWERS_MAX);
}

function answersOf(answer: unknown): HumanAnswer[] {
  if (answer === undefined || answer === null) return [];
  const list = isObject(answer) ? (answer['decisions'] ?? answer) : answer;
  const decisions = (Array.isArray(list) ? list : [list]).map(decisionOf);
  if (decisions.length > 0 && decisions.every((one) => one !== null)) return decisions;
  const isPlain = typeof answer === 'boolean' || typeof answer === 'number' || typeof answer === 'string';
  if (typeof answer === 'string' && answer.length > VALUE_CHARS_MAX)
    return [{ value: null, score: null, correction: null, comment: answer }];
  return [
    {
      value: isPlain ? answer : null,
      score: typeof answer === 'boolean' ? (answer ? 1 : 0) : null,
      correction: isObject(answer) ? answer : null,
      comment: null,
    },
  ];
}

/** Null if the value is no decision in one of the known forms. */
function decisionOf(decision: unknown): HumanAnswer | null {
  if (!isObject(decision) || typeof decision['type'] !== 'string') return null;
  const { type, args } = decision;
  if (!Object.hasOwn(KINDS, type)) return null;
  const kind = KINDS[type]!;
  const edited = decision['editedAction'] ?? decision['edited_action'] ?? args;
  const message = decision['message'] ?? args;
  return {
    ...kind,
    correction: kind.value === 'edit' && isObject(edited) ? edited : null,
    comment: kind.value !== 'edit' && typeof message === 'string' && message !== '' ? message : null,
  };
}
