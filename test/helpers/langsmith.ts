import type * as langsmith from 'langsmith';
import type { Client } from 'langsmith';
import type * as evaluation from 'langsmith/evaluation';
import type { TestServer } from './server.js';

/** One request of a client. */
export interface Call {
  method: string;
  path: string;
  status: number;
  contentType: string;
  encoding: string | null;
}

export type LangSmith = typeof langsmith &
  Pick<typeof evaluation, 'evaluate' | 'evaluateComparative'> & {
    /** A client of this server that notes its calls. */
    clientOf(options?: ConstructorParameters<typeof Client>[0], calls?: Call[]): Client;
  };

/**
 * The stock client of evaluation results. It reads the environment where no client is passed, so this comes before the
 * import.
 */
export async function langsmithOf({ url }: Pick<TestServer, 'url'>): Promise<LangSmith> {
  Object.assign(process.env, {
    LANGSMITH_ENDPOINT: url,
    LANGSMITH_API_KEY: 'any',
    LANGSMITH_TRACING: 'true',
    // `evaluate` asks git nine times for the state of the repository, unless there is none.
    GIT_DIR: '/dev/null',
  });
  const [library, { evaluate, evaluateComparative }] = [
    await import('langsmith'),
    await import('langsmith/evaluation'),
  ];
  const clientOf: LangSmith['clientOf'] = (options = {}, calls = []) =>
    new library.Client({
      apiUrl: url,
      apiKey: 'any',
      async fetchImplementation(input: string | URL | Request, init?: RequestInit) {
        const answer = await fetch(input, init);
        const headers = new Headers(init?.headers);
        calls.push({
          method: init?.method ?? 'GET',
          path: new URL(String(input)).pathname,
          status: answer.status,
          contentType: headers.get('content-type') ?? '',
          encoding: headers.get('content-encoding'),
        });
        return answer;
      },
      ...options,
    });
  return { ...library, evaluate, evaluateComparative, clientOf };
}

/** Everything that an iterable of the client yields. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Asks until the answer is as it should become: statistics follow a moment after what they are of. */
export async function until<T>(read: () => Promise<T>, ready: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (ready(value)) return value;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

export interface FeedbackStats {
  n: number;
  avg: number | null;
  values: Record<string, number>;
}
/** A project as the server answers it: the client's type knows less. */
export interface Session {
  id: string;
  name: string;
  reference_dataset_id: string | null;
  test_run_number: number | null;
  extra: { metadata?: Record<string, unknown> } | null;
  experiment_progress: unknown;
  run_count: number | null;
  latency_p50: number | null;
  latency_p99: number | null;
  total_tokens: number | null;
  total_cost: number | null;
  error_rate: number | null;
  feedback_stats: Record<string, FeedbackStats> | null;
  session_feedback_stats: Record<string, FeedbackStats> | null;
}

/** True when everything that is wanted is there; more may be. */
export function holds(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return found === wanted;
  return (
    typeof found === 'object' &&
    found !== null &&
    Object.entries(wanted).every(([key, value]) => holds((found as Record<string, unknown>)[key], value))
  );
}

/** The project with statistics of so many root runs and so much feedback, on runs and on the whole. */
export async function settled(
  client: Client,
  project: { projectId?: string; projectName?: string },
  counts: { runs: number; feedback: number; summaries?: number },
): Promise<Session> {
  const sum = (stats: Session['feedback_stats']): number =>
    Object.values(stats ?? {}).reduce((count, { n }) => count + n, 0);
  return until(
    async () => (await client.readProject({ ...project, includeStats: true })) as unknown as Session,
    ({ run_count: runs, feedback_stats: stats, session_feedback_stats: summaries }) =>
      runs === counts.runs &&
      stats !== null &&
      sum(stats) === counts.feedback &&
      sum(summaries) === (counts.summaries ?? 0),
  );
}
