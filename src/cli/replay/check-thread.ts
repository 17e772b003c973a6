import { asObject, type JsonObject } from '../../base/json/json.js';
import type { Client } from '../client.js';
import { chooseAnswer, type ChosenAnswer } from './choose-answer.js';
import type { GraphSource } from '../../wire/user-code/graph-source.js';
import { loadKeptVersion } from './kept-version.js';
import { bodyOfPendingRun, readRecording } from './recorded-run.js';
import { ThreadFile } from './rewind-thread.js';
import type { Sandbox, SandboxResult } from './sandbox.js';

/** A thread that waits, as POST /threads/search returns it. */
export interface WaitingThread {
  thread_id: string;
  metadata: JsonObject | null;
  /** Parameters of the run that it waits for, if it waits for its time. Null: it waits for an answer. */
  delayed: JsonObject | null;
}

/** What became of a thread under the new code. */
export interface ThreadCheck {
  threadId: string;
  graphId: string;
  /** `stopped`: it resumed, and then made a request that is not recorded, which was refused. */
  outcome: 'resumed' | 'stopped' | 'failed';
  /** Nodes that the thread waits in. */
  nodes: string[];
  /** Why it failed; null if it did not. The same reason has the same text. */
  reason: string | null;
  advice: string | null;
  answer: ChosenAnswer['source'] | null;
}

export interface CheckParts {
  client: Client;
  sandbox: Sandbox;
  /** Answer of --answer. */
  flag: { value: unknown } | null;
  /** Answers of people by node, for a graph. */
  earlier: (graphId: string) => Promise<ReadonlyMap<string, unknown>>;
  /** Nodes of a graph under the new code, with those of its subgraphs. */
  nodes: (graphId: string) => Promise<ReadonlySet<string>>;
}

interface Task {
  name: string;
  interrupts: { id?: string; value: unknown }[];
  state?: { tasks?: Task[] } | null;
}

const KEEP_VERSION =
  'Or let waiting threads finish on the code that they were started with: ' +
  '"code_versions": {"parked_threads": "same"} in langgraph.json.';

/** Resumes a copy of a thread in the sandbox. */
export async function checkThread(
  { client, sandbox, flag, earlier, nodes }: CheckParts,
  thread: WaitingThread,
): Promise<ThreadCheck> {
  const threadId = thread.thread_id;
  const graphId = String(thread.metadata?.['graph_id'] ?? '');
  const known = { threadId, graphId };
  if (!sandbox.graphIds.includes(graphId))
    return {
      ...{ ...known, outcome: 'failed', nodes: [], answer: null },
      reason: `graph "${graphId}" does not exist any more`,
      advice: `Keep the graph "${graphId}" in langgraph.json until its threads have ended. ${KEEP_VERSION}`,
    };
  const [state, exported] = await Promise.all([
    client.get(`/threads/${threadId}/state?subgraphs=true`).then((text) => JSON.parse(text) as { tasks: Task[] }),
    client.getBytes(`/threads/${threadId}/export`),
  ]);
  const waiting = thread.delayed === null ? state.tasks.flatMap(waitingIn) : [];
  const { body, answer } =
    thread.delayed === null
      ? resumeBody(waiting, { flag, earlier: await earlier(graphId) })
      : { body: bodyOfPendingRun(graphId, thread.delayed), answer: null };
  const file = exported.toString();
  const lastRunId = new ThreadFile(file).lastRunId;
  const isParked = thread.delayed === null && sandbox.parkedThreads === 'same';
  const code = isParked ? await parkedCode({ client, sandbox }, { threadId, graphId }) : null;
  const result = await sandbox.run({
    replayId: threadId,
    recording: lastRunId === null ? null : await readRecording(client, lastRunId),
    code,
    thread: { threadId, file },
    body: { assistant_id: graphId, ...body },
    isPersistent: true,
  });
  const names = [...new Set(waiting.map(({ name }) => name))];
  return {
    ...known,
    nodes: names,
    answer,
    ...judge(result, { names, answer, isOldCode: code !== null, known: await nodes(graphId) }),
  };
}

/** The version of the code that the thread stopped with, which the new project would continue it with. */
async function parkedCode(
  { client, sandbox }: Pick<CheckParts, 'client' | 'sandbox'>,
  { threadId, graphId }: { threadId: string; graphId: string },
): Promise<GraphSource | null> {
  const [run] = JSON.parse(await client.get(`/threads/${threadId}/runs?limit=1`)) as { code_version?: string | null }[];
  const version = run?.code_version ?? null;
  // Of a run before versions were kept: the newest code continues it.
  return version === null ? null : loadKeptVersion(client, version, { sandbox, graphId, warn: () => undefined });
}

/** The tasks that asked, or stopped at a breakpoint: of subgraphs, the innermost. */
function waitingIn(task: Task): Task[] {
  const inner = (task.state?.tasks ?? []).flatMap(waitingIn);
  return inner.length > 0 ? inner : [task];
}

function resumeBody(
  waiting: readonly Task[],
  known: { flag: { value: unknown } | null; earlier: ReadonlyMap<string, unknown> },
): { body: JsonObject; answer: ChosenAnswer['source'] | null } {
  const asked = waiting.flatMap(({ name, interrupts }) => interrupts.map((interrupt) => ({ name, ...interrupt })));
  // It stopped at a breakpoint, and goes on without an answer.
  if (asked.length === 0) return { body: { input: null }, answer: null };
  const answers = asked.map(({ name, id, value }) => ({ id, ...chooseAnswer(value, { node: name, ...known }) }));
  const hasIds = answers.every(({ id }) => typeof id === 'string');
  const resume = hasIds ? Object.fromEntries(answers.map(({ id, value }) => [id, value])) : answers[0]!.value;
  const sources = answers.map(({ source }) => source);
  return { body: { command: { resume } }, answer: sources.includes('made-up') ? 'made-up' : sources[0]! };
}

interface Expected {
  /** Nodes that are to execute. */
  names: readonly string[];
  answer: ThreadCheck['answer'];
  /** The thread continues on the code that it was started with. */
  isOldCode: boolean;
  /** Nodes of the new code. */
  known: ReadonlySet<string>;
}

type Verdict = Pick<ThreadCheck, 'outcome' | 'reason' | 'advice'>;

function judge({ steps, report }: SandboxResult, { names, answer, isOldCode, known }: Expected): Verdict {
  const executed = new Set(steps.map(({ extra }) => asObject(extra?.metadata)['langgraph_node']));
  const gone = isOldCode ? undefined : names.find((name) => !executed.has(name) && !known.has(name));
  if (gone !== undefined)
    return {
      outcome: 'failed',
      reason: `node "${gone}" does not exist any more`,
      advice:
        `Keep a node named "${gone}" in the graph, for example one that does what its successor does, until these ` +
        `threads have ended. ${KEEP_VERSION}`,
    };
  const error = steps[0]?.error ?? null;
  if (error !== null) {
    if (report.unrecorded.some((call) => call.answer === 'refused')) return PASSED('stopped');
    const text = error.split('\n')[0]!;
    return {
      outcome: 'failed',
      reason: `${text}${answer === 'made-up' ? ' (after an answer that was made up)' : ''}`,
      advice:
        answer === 'made-up'
          ? 'If the question needs another answer, give one with --answer, and check again.'
          : `Change the code so that it accepts the state of these threads. ${KEEP_VERSION}`,
    };
  }
  const skipped = names.find((name) => !executed.has(name));
  if (skipped === undefined) return PASSED('resumed');
  return {
    outcome: 'failed',
    reason: `node "${skipped}" was not executed, and the thread ended without it`,
    advice: `What leads to "${skipped}" has changed: its edges, or the channels that start it. ${KEEP_VERSION}`,
  };
}

const PASSED = (outcome: 'resumed' | 'stopped'): Verdict => ({ outcome, reason: null, advice: null });
