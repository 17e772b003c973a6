import { asObject, isObject, type JsonObject } from '../../base/json/json.js';
import type { UnrecordedPolicy } from '../../wire/user-code/graph-source.js';
import { Client, CommandError, HttpError, runCommand } from '../client.js';
import { translateStoreErrors } from '../data-folder/store-errors.js';
import { appendMarkdown } from '../output/markdown.js';
import { parseDuration } from '../duration.js';
import { createProgressBar } from '../output/progress.js';
import { wholeNumber } from '../whole-number.js';
import { checkMarkdown, checkText, summaryOf, writeCheckPage, type CheckSummary } from './check-report.js';
import { checkThread, type CheckParts, type ThreadCheck, type WaitingThread } from './check-thread.js';
import { earlierAnswers } from './choose-answer.js';
import { sandboxOptions } from './replay.js';
import { Sandbox } from './sandbox.js';
import { secretVariablesOf } from './secret-variables.js';

export interface CheckFlags {
  url: string;
  apiKey?: string;
  graph?: string[];
  limit?: string;
  minutes?: string;
  timeout?: string;
  answer?: string;
  unrecorded: UnrecordedPolicy;
  stubs?: string;
  markdown?: string;
  html?: string;
  json?: boolean;
}

const NOT_CHECKED = 3;
const LIMIT = 1_000;
const MINUTES = 10;
const TIMEOUT = '1m';
const PAGE = 100;
/** Threads that are in the sandbox at the same time. */
const CONCURRENT = 4;

/** Checks the threads that wait for an answer under the code at `place`, and reports. */
export function check(place: string, flags: CheckFlags): Promise<void> {
  return runCommand(NOT_CHECKED, () =>
    translateStoreErrors(async () => {
      const summary = await runCheck(place, flags);
      print(summary, flags);
      return summary.failed === 0 ? 0 : 1;
    }),
  );
}

/** Resumes copies of the threads under the new code. Throws CommandError if nothing can be checked. */
export async function runCheck(
  place: string,
  flags: Omit<CheckFlags, 'markdown' | 'html' | 'json'>,
): Promise<CheckSummary> {
  const client = new Client(flags);
  const flag = flags.answer === undefined ? null : { value: parseAnswer(flags.answer) };
  const limit = wholeNumber('--limit', flags.limit) ?? LIMIT;
  const untilMs = Date.now() + (wholeNumber('--minutes', flags.minutes) ?? MINUTES) * 60_000;
  const options = sandboxOptions({ ...flags, graph: place }, await secretVariablesOf(client, place));
  const { threads, total } = await waitingThreads(client, flags.graph ?? [], limit);
  const timeoutMs = parseDuration('--timeout', flags.timeout ?? TIMEOUT);
  const sandbox = await Sandbox.open({ ...options, timeoutMs });
  const checks: ThreadCheck[] = [];
  const bar = createProgressBar(threads.length, 'failed');
  try {
    const parts = partsOf(client, sandbox, flag);
    const queue = [...threads];
    const work = async (): Promise<void> => {
      for (;;) {
        const thread = Date.now() < untilMs ? queue.shift() : undefined;
        if (thread === undefined) return;
        const checked = await checkOne(parts, thread);
        if (checked !== null) checks.push(checked);
        bar.update(checks.length, checks.filter(({ outcome }) => outcome === 'failed').length);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT }, work));
  } finally {
    bar.stop();
    await sandbox.close();
  }
  return summaryOf(checks, { total, place });
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`--answer: is not valid JSON: ${(error as Error).message}. Put a text in quotes: '"yes"'.`);
  }
}

/**
 * Threads that wait for an answer, or for the time of a delayed run; some drawn at random if there are more than
 * `limit`. `total`: number of all of them.
 */
async function waitingThreads(
  client: Client,
  graphIds: readonly string[],
  limit: number,
): Promise<{ threads: WaitingThread[]; total: number }> {
  const found: WaitingThread[] = [];
  for await (const thread of threadsWith(client, 'interrupted')) found.push({ ...thread, delayed: null });
  for await (const thread of threadsWith(client, 'busy')) {
    const delayed = await delayedRun(client, thread.thread_id);
    if (delayed !== null) found.push({ ...thread, ...delayed });
  }
  const wanted = found.filter(({ metadata }) => graphIds.length === 0 || graphIds.includes(graphOf(metadata)));
  const threads = [...wanted];
  while (threads.length > limit) threads.splice(Math.floor(Math.random() * threads.length), 1);
  return { threads, total: wanted.length };
}

async function* threadsWith(client: Client, status: string): AsyncGenerator<Omit<WaitingThread, 'delayed'>> {
  for (let offset = 0; ; offset += PAGE) {
    const query = { status, select: ['thread_id', 'metadata'], limit: PAGE, offset };
    const page = JSON.parse(await client.post('/threads/search', query)) as Omit<WaitingThread, 'delayed'>[];
    yield* page;
    if (page.length < PAGE) return;
  }
}

interface PendingRun {
  created_at: string;
  metadata: JsonObject;
  kwargs: JsonObject;
}

/** The next run of the thread, if its time has not come; null otherwise. */
async function delayedRun(
  client: Client,
  threadId: string,
): Promise<Pick<WaitingThread, 'metadata' | 'delayed'> | null> {
  const runs = JSON.parse(await client.get(`/threads/${threadId}/runs?status=pending&limit=${PAGE}`)) as PendingRun[];
  const next = runs.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))[0];
  if (next === undefined || Date.parse(next.created_at) <= Date.now()) return null;
  const { graph_id: graphId } = asObject(asObject(next.kwargs['config'])['configurable']);
  // A thread gets its graph with its first run.
  return { metadata: { graph_id: graphId }, delayed: next.kwargs };
}

function graphOf(metadata: WaitingThread['metadata']): string {
  return isObject(metadata) && typeof metadata['graph_id'] === 'string' ? metadata['graph_id'] : '';
}

function partsOf(client: Client, sandbox: Sandbox, flag: CheckParts['flag']): CheckParts {
  return {
    ...{ client, sandbox, flag },
    earlier: oncePerGraph((graphId) => (flag === null ? earlierAnswers(client, graphId) : new Map<string, unknown>())),
    nodes: oncePerGraph(async (graphId) => {
      const { nodes } = JSON.parse(await sandbox.client.get(`/assistants/${graphId}/graph?xray=true`)) as {
        nodes: { id: string | number }[];
      };
      // With xray, nodes of subgraphs are named `outer:inner`.
      return new Set(nodes.flatMap(({ id }) => [String(id), String(id).split(':').at(-1)!]));
    }),
  };
}

function oncePerGraph<T>(read: (graphId: string) => T | Promise<T>): (graphId: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (graphId) => {
    const found = known.get(graphId) ?? Promise.resolve(read(graphId));
    known.set(graphId, found);
    return found;
  };
}

/** Null: the thread was deleted or answered meanwhile. */
async function checkOne(parts: CheckParts, thread: WaitingThread): Promise<ThreadCheck | null> {
  try {
    return await checkThread(parts, thread);
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null;
    if (!(error instanceof CommandError)) throw error;
    return {
      threadId: thread.thread_id,
      graphId: graphOf(thread.metadata),
      ...{ outcome: 'failed', nodes: [], answer: null, advice: null },
      reason: `it could not be executed: ${error.message}`,
    };
  }
}

function print(summary: CheckSummary, { json, markdown, html }: CheckFlags): void {
  process.stdout.write(`${json === true ? JSON.stringify(summary) : checkText(summary)}\n`);
  if (markdown !== undefined) appendMarkdown(markdown, `${checkMarkdown(summary)}\n`);
  if (html !== undefined) writeCheckPage(html, summary);
}
