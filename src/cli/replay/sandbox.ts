import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../base/json/json.js';
import { WHOLE_API } from '../../config/api.js';
import { readConfig, type Config } from '../../config/config.js';
import { readTraces } from '../../config/traces.js';
import { openServer, type Server } from '../../server/server.js';
import type { GraphSource, ReplaySettings } from '../../wire/user-code/graph-source.js';
import {
  codeFile,
  recordingFile,
  REPLAY_METADATA,
  reportFile,
  type ReplayReport,
} from '../../wire/runs/replay-report.js';
import { Client, CommandError } from '../client.js';
import { readTrace, type TraceStep } from './trace-steps.js';

export interface SandboxOptions extends Omit<ReplaySettings, 'folder'> {
  /** A langgraph.json. */
  configFile: string;
  /** Environment variables that get a placeholder if they are missing. */
  secretVariables: readonly string[];
  /** Evaluators of the project that score every run. */
  evaluators?: readonly string[];
  /** A run that takes longer fails. */
  timeoutMs?: number;
}

/** A run to execute in the sandbox. */
export interface SandboxRun {
  /** Any name; unique in the sandbox. */
  replayId: string;
  /** Null: no recorded answers. */
  recording: Uint8Array | null;
  /** Null for a run without a thread. */
  thread: { threadId: string; file: string | null } | null;
  /** An old version of the graph. Null: the code of the sandbox. */
  code: GraphSource | null;
  /** As for POST /runs. */
  body: JsonObject;
  /** False: without a checkpointer. */
  isPersistent: boolean;
}

export interface SandboxResult {
  runId: string;
  status: string;
  steps: TraceStep[];
  report: ReplayReport;
  /** Scores of the evaluators. */
  feedback: { key: string; score: number | null }[];
}

const NOTHING_USED: ReplayReport = { answered: 0, unrecorded: [], unused: [] };

const TIMEOUT_MS = 10 * 60_000;
const SCORES_WAIT_MS = 60_000;
const POLL_MS = 50;
const TRACES_MAX = 1_000;
const DEBUG_PATIENCE_MS = 24 * 3_600_000;

/** Without these, clients of models refuse to start. */
const USUAL_VARIABLES = [
  ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_API_KEY', 'MISTRAL_API_KEY', 'GROQ_API_KEY', 'COHERE_API_KEY'],
  ...['AZURE_OPENAI_API_KEY', 'TAVILY_API_KEY', 'LANGSMITH_API_KEY'],
];

/** Takes the place of a secret that is only read. */
const PLACEHOLDER = 'removed-by-threadmill';

/**
 * A server of its own with a temporary data folder, which executes runs cut off from the network. Nothing that they do
 * reaches the server that their recordings and threads are from.
 */
export class Sandbox {
  readonly #folder: string;
  readonly #server: Server;
  readonly #isDebugged: boolean;
  readonly client: Client;

  private constructor(folder: string, server: Server, { apiKey, config }: { apiKey: string; config: Config }) {
    const { project, outside } = config;
    this.#isDebugged = outside?.mode === 'replayed' && outside.debugPort !== null;
    this.root = project.root;
    this.parkedThreads = project.codeVersions.parkedThreads;
    this.#folder = folder;
    this.#server = server;
    this.client = new Client({ url: server.url, apiKey });
  }

  /** Throws what `openServer` throws, such as CONFIG_INVALID and GRAPH_LOAD_FAILED. */
  static async open({
    configFile,
    secretVariables,
    evaluators = [],
    timeoutMs = TIMEOUT_MS,
    ...settings
  }: SandboxOptions): Promise<Sandbox> {
    const folder = mkdtempSync(join(tmpdir(), 'threadmill-replay-'));
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    // Removes the folder even if the command is interrupted.
    process.once('exit', remove);
    try {
      const recordings = join(folder, 'recordings');
      mkdirSync(recordings, { mode: 0o700 });
      // Other users of this machine may reach the port.
      const apiKey = randomBytes(24).toString('base64url');
      const config = sandboxConfig(configFile, folder, {
        ...{ secretVariables, evaluators, timeoutMs },
        settings: { ...settings, folder: recordings },
      });
      const server = await openServer({ ...config, apiKeys: apiKey });
      return new Sandbox(folder, server, { apiKey, config });
    } catch (error) {
      remove();
      throw error;
    }
  }

  /** Folder of the project whose code it has. */
  readonly root: string;
  /** Which code the project runs threads on that wait at an interrupt. */
  readonly parkedThreads: 'newest' | 'same';

  /** Versions of other servers that were loaded, by graph and version. */
  readonly keptCode = new Map<string, Promise<GraphSource>>();

  /** For modules that runs of the sandbox load. Deleted with it. */
  get codeFolder(): string {
    return join(this.#folder, 'code');
  }

  get graphIds(): readonly string[] {
    return this.#server.graphIds;
  }

  /**
   * Executes the run and waits for its end, and for as many scores. Its files and its thread, and with that its trace,
   * are deleted.
   */
  async run({ replayId, recording, code, thread, body, isPersistent }: SandboxRun, scores = 0): Promise<SandboxResult> {
    if (recording !== null) writeFileSync(this.#fileOf(recordingFile(replayId)), recording, { mode: 0o600 });
    if (code !== null) writeFileSync(this.#fileOf(codeFile(replayId)), JSON.stringify(code), { mode: 0o600 });
    const marked = { ...body, metadata: { [REPLAY_METADATA]: replayId } };
    const threadId = thread === null ? null : await this.#openThread(thread);
    const { runId, status } =
      threadId === null && !isPersistent ? await this.#runInMemory(marked) : await this.#runOnThread(threadId, marked);
    const steps = await readTrace(this.client, runId);
    const feedback = scores === 0 ? [] : await this.#readScores(runId, scores);
    if (threadId !== null) await this.client.delete(`/threads/${threadId}`);
    const file = this.#fileOf(reportFile(replayId));
    const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ReplayReport) : NOTHING_USED;
    for (const nameOf of [recordingFile, codeFile, reportFile]) rmSync(this.#fileOf(nameOf(replayId)), { force: true });
    return { runId, status, steps, report, feedback };
  }

  /** Ends the runs that execute, if there are any. Their results have an error. */
  async cancelRuns(): Promise<void> {
    await this.client.postForLocation('/runs/cancel', { status: 'all' }).catch(() => undefined);
  }

  async #readScores(runId: string, count: number): Promise<SandboxResult['feedback']> {
    const untilMs = Date.now() + SCORES_WAIT_MS;
    for (;;) {
      const scores = JSON.parse(await this.client.get(`/api/v1/feedback?run=${runId}`)) as SandboxResult['feedback'];
      if (scores.length >= count || Date.now() > untilMs)
        return scores.map(({ key, score }) => ({ key, score: typeof score === 'boolean' ? Number(score) : score }));
      await sleep(POLL_MS);
    }
  }

  async #openThread({ threadId, file }: { threadId: string; file: string | null }): Promise<string> {
    if (file !== null) await this.client.postLines('/threads/import', Buffer.from(file));
    else await this.client.post('/threads', { thread_id: threadId });
    return threadId;
  }

  async #runOnThread(threadId: string | null, body: JsonObject): Promise<{ runId: string; status: string }> {
    const path = threadId === null ? '/runs' : `/threads/${threadId}/runs`;
    const { run_id: runId, thread_id: own } = JSON.parse(await this.client.post(path, body)) as Record<string, string>;
    await this.client.get(`/threads/${own}/runs/${runId}/join`).catch(() => undefined);
    if (threadId === null) return { runId: runId!, status: 'ended' };
    const { status } = JSON.parse(await this.client.get(`/threads/${threadId}/runs/${runId}`)) as { status: string };
    return { runId: runId!, status };
  }

  /** A run that someone waits for is not stored. */
  async #runInMemory(body: JsonObject): Promise<{ runId: string; status: string }> {
    const location = await this.client.postForLocation('/runs/wait', { ...body, raise_error: false });
    return { runId: location.split('/').at(-1)!, status: 'ended' };
  }

  #fileOf(name: string): string {
    return join(this.#folder, 'recordings', name);
  }

  /** A thread with a debugger ends with the process only, because it waits until the debugger is gone. */
  async close(): Promise<void> {
    if (this.#isDebugged) return;
    await this.#server.close(0);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface SandboxProject {
  secretVariables: readonly string[];
  evaluators: readonly string[];
  timeoutMs: number;
  settings: ReplaySettings;
}

/** The project's graphs, and nothing of it that would act on the outside or keep others out. */
function sandboxConfig(
  file: string,
  dataFolder: string,
  { secretVariables, evaluators, timeoutMs, settings }: SandboxProject,
): Config {
  const config = readConfig(
    { config: file, host: '127.0.0.1', port: '0', data: dataFolder, workers: '1', webhooks: false },
    { ...process.env, LOG_LEVEL: 'fatal', THREADMILL_CLUSTER: '', LANGGRAPH_AES_KEY: '' },
  );
  const { project } = config;
  const missing = [...USUAL_VARIABLES, ...secretVariables].filter(
    (name) => (project.env[name] ?? process.env[name] ?? '') === '',
  );
  return {
    ...config,
    api: WHOLE_API,
    tls: null,
    tracing: null,
    encryption: null,
    outside: { mode: 'replayed', ...settings },
    // A worker that stands at a breakpoint looks like one that hangs.
    watchdogMs: settings.debugPort === null ? config.watchdogMs : DEBUG_PATIENCE_MS,
    runTimeoutMs: settings.debugPort === null ? timeoutMs : DEBUG_PATIENCE_MS,
    project: {
      ...project,
      auth: null,
      oidc: null,
      backups: null,
      ui: { ...project.ui, modules: [] },
      store: { ...project.store, index: null },
      env: { ...project.env, ...Object.fromEntries(missing.map((name) => [name, PLACEHOLDER])) },
      traces: readTraces(
        {
          // Traces of runs without a thread stay.
          ...{ keep_days: null, keep_traces: TRACES_MAX, answers: false, export: 'none' },
          evaluate: evaluators.length === 0 ? [] : [{ evaluators, runs_per_hour: Number.MAX_SAFE_INTEGER }],
        },
        { root: project.root, evaluators: project.evaluators },
        (text) => new CommandError(text),
      ),
    },
  };
}
