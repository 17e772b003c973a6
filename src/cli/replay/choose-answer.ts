import { isObject } from '../../base/json/json.js';
import type { Client } from '../client.js';
import { projectIdsOf } from './graph-projects.js';
import { storedSteps, type TraceStep } from './trace-steps.js';

/** An answer to a question, and where it is from. */
export interface ChosenAnswer {
  value: unknown;
  /** `flag`: of --answer. `earlier`: what a person answered to the same node last. `made-up`: from the question. */
  source: 'flag' | 'earlier' | 'made-up';
}

/** Resumed runs that are searched for answers of people. */
const RUNS_SEARCHED = 50;
const INTERRUPT_ID = /^[0-9a-f]{32}$/;

/**
 * The newest answers of people to questions of a graph, by the node that asked. Empty if its runs are not recorded as
 * traces.
 */
export async function earlierAnswers(client: Client, graphId: string): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  const projectIds = await projectIdsOf(client, graphId);
  if (projectIds.length === 0) return answers;
  const { runs } = JSON.parse(
    await client.post('/runs/query', {
      session: projectIds,
      is_root: true,
      filter: 'search("resume")',
      select: ['id', 'inputs'],
      limit: RUNS_SEARCHED,
    }),
  ) as { runs: TraceStep[] };
  for (const { id, inputs } of runs) {
    const command = isObject(inputs) ? inputs['input'] : undefined;
    const resume = isObject(command) ? command['resume'] : undefined;
    if (resume === undefined || resume === null) continue;
    const [, resumed] = await storedSteps(client, id);
    if (resumed !== undefined && !answers.has(resumed.name)) answers.set(resumed.name, singleAnswer(resume));
  }
  return answers;
}

/** The first answer of a map of answers by interrupt. */
function singleAnswer(resume: unknown): unknown {
  const isMap = isObject(resume) && Object.keys(resume).length > 0 && Object.keys(resume).every(isInterruptId);
  return isMap ? Object.values(resume)[0] : resume;
}

const isInterruptId = (id: string): boolean => INTERRUPT_ID.test(id);

/** `question`: the value of the interrupt. */
export function chooseAnswer(
  question: unknown,
  { node, flag, earlier }: { node: string; flag: { value: unknown } | null; earlier: ReadonlyMap<string, unknown> },
): ChosenAnswer {
  if (flag !== null) return { value: flag.value, source: 'flag' };
  if (earlier.has(node)) return { value: earlier.get(node), source: 'earlier' };
  return { value: madeUpAnswer(question), source: 'made-up' };
}

/** Approves proposed actions, as LangChain's middleware and agent-inbox expect it, and takes the first of options. */
function madeUpAnswer(question: unknown): unknown {
  if (Array.isArray(question) && question.every((one) => isObject(one) && 'action_request' in one))
    return question.map(() => ({ type: 'accept', args: null }));
  if (!isObject(question)) return true;
  if ('action_request' in question) return [{ type: 'accept', args: null }];
  const actions = question['actionRequests'] ?? question['action_requests'];
  if (Array.isArray(actions)) return { decisions: actions.map(() => ({ type: 'approve' })) };
  const options = question['options'] ?? question['choices'];
  if (Array.isArray(options) && options.length > 0) {
    const [first] = options as unknown[];
    return isObject(first) ? (first['value'] ?? first['id'] ?? first) : first;
  }
  return true;
}
