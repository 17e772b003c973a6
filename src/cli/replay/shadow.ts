import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProject } from '../../config/config.js';
import { unpackRecording, type Recording } from '../../wire/runs/recording.js';
import type { UnrecordedPolicy } from '../../wire/user-code/graph-source.js';
import { Client, CommandError, HttpError, printable, runCommand } from '../client.js';
import { translateStoreErrors } from '../data-folder/store-errors.js';
import { parseDuration } from '../duration.js';
import { compareTraces } from './compare-traces.js';
import { EndedRuns } from './ended-runs.js';
import {
  evaluatorsOf,
  hasSameOutputs,
  judgePairs,
  rootStepOf,
  sideOf,
  type JudgedSide,
  type RootStep,
} from './gate.js';
import { loadKeptVersion } from './kept-version.js';
import { NewestPairs } from './newest-pairs.js';
import { readRecordedRun, readRecording, recordingLink, type RecordedRunFile } from './recorded-run.js';
import { configFileOf, sandboxOptions } from './replay.js';
import { Sandbox, type SandboxResult } from './sandbox.js';
import { secretVariablesIn } from './secret-variables.js';
import { shadowedJson, shadowedText, ShadowTally, type SkipReason } from './shadow-report.js';
import { uploadReplay } from './upload-replay.js';

export interface ShadowFlags {
  url: string;
  apiKey?: string;
  unrecorded: UnrecordedPolicy;
  stubs?: string;
  share: string;
  graph?: string[];
  minutes?: string;
  score: string;
  timeout: string;
  upload?: boolean;
  json?: boolean;
}

/** The flags, read and checked. */
interface ShadowSettings {
  graphIds: readonly string[];
  isChosen: (runId: string) => boolean;
  minutes: number | null;
  scores: string[];
  timeoutMs: number;
}

const NOT_POSSIBLE = 3;
const WORSE = 1;
const UNDECIDED = 2;

const POLL_MS = 2_000;
const IDLE_MS = 100;
const WAITING_MAX = 100;
/** Earlier runs whose recordings tell which variables have secrets. */
const EARLIER_MAX = 5;

/** Replays the runs of a server that have just ended under the code at `place`, and judges both by their results. */
export function shadow(place: string, flags: ShadowFlags): Promise<void> {
  return runCommand(NOT_POSSIBLE, () =>
    translateStoreErrors(async () => {
      const settings = settingsOf(place, flags);
      const client = new Client(flags);
      const runs = new EndedRuns(client, settings.graphIds, settings.isChosen);
      const earlier = await runs.begin();
      const options = sandboxOptions(
        // Answers that arrive at once would make the new code look fast.
        { ...flags, graph: place, timing: settings.scores.includes('latency') },
        await secretVariablesIn(recordingsOf(client, earlier.slice(0, EARLIER_MAX))),
      );
      const evaluators = evaluatorsOf(settings);
      const sandbox = await Sandbox.open({ ...options, evaluators });
      const one = new Shadow({ client, sandbox, settings, flags, scores: evaluators.length });
      try {
        await one.follow(runs);
      } finally {
        await sandbox.close();
      }
      return one.judge(runs);
    }),
  );
}

function settingsOf(place: string, flags: ShadowFlags): ShadowSettings {
  const share = Number(flags.share.replace(/ ?%$/, ''));
  if (!(share > 0 && share <= 100))
    throw new CommandError('--share: must be above 0 and at most 100 percent, such as 5%');
  const minutes = flags.minutes === undefined ? null : Number(flags.minutes);
  if (minutes !== null && !(minutes > 0)) throw new CommandError('--minutes: must be a number above 0');
  const scores = flags.score.split(',').map((name) => name.trim());
  if (scores.includes(''))
    throw new CommandError('--score: must be the name of a score, or several separated by commas');
  const known = readProject(configFileOf(place), process.env).graphs.map(({ graphId }) => graphId);
  for (const graphId of flags.graph ?? [])
    if (!known.includes(graphId))
      throw new CommandError(`--graph: ${place} does not have the graph "${graphId}" (it has: ${known.join(', ')})`);
  return {
    graphIds: flags.graph ?? known,
    isChosen: (runId) => isInShare(runId, share / 100),
    ...{ minutes, scores },
    timeoutMs: parseDuration('--timeout', flags.timeout),
  };
}

/** The same for each run, whoever asks. */
export function isInShare(runId: string, share: number): boolean {
  return createHash('sha256').update(runId).digest().readUInt32BE() < share * 2 ** 32;
}

async function* recordingsOf(client: Client, runIds: readonly string[]): AsyncGenerator<Recording | null> {
  for (const runId of runIds) {
    const bytes = await readRecording(client, runId);
    yield bytes === null ? null : unpackRecording(bytes);
  }
}

interface ShadowParts {
  client: Client;
  sandbox: Sandbox;
  settings: ShadowSettings;
  flags: ShadowFlags;
  /** Number of evaluators. */
  scores: number;
}

class Shadow {
  readonly #parts: ShadowParts;
  readonly #tally = new ShadowTally();
  readonly #pairs = new NewestPairs();
  readonly #waiting: string[] = [];
  readonly #stop = new AbortController();
  #isReplaying = false;
  #hasWarned = false;

  constructor(parts: ShadowParts) {
    this.#parts = parts;
  }

  /** Replays the runs that end, until the time is over or somebody presses Ctrl-C. */
  async follow(runs: EndedRuns): Promise<void> {
    const { settings, client } = this.#parts;
    const { graphIds, minutes } = settings;
    const stop = (): void => this.#onSignal();
    for (const signal of SIGNALS) process.on(signal, stop);
    const untilMs = minutes === null ? Infinity : Date.now() + minutes * 60_000;
    // A timer of Node is at most 24 days long.
    const timer = setInterval(() => {
      if (Date.now() >= untilMs) this.#stop.abort();
    }, IDLE_MS);
    const end = minutes === null ? ' Ctrl-C ends it.' : '';
    process.stderr.write(`Waiting for runs of ${printable(graphIds.join(', '))} at ${client.url} to end.${end}\n`);
    try {
      await Promise.all([this.#find(runs), this.#replayAll()]);
    } finally {
      this.#stop.abort();
      clearInterval(timer);
      for (const signal of SIGNALS) process.removeListener(signal, stop);
    }
    this.#tally.countSkipped('still_waiting', this.#waiting.length);
  }

  #onSignal(): void {
    if (this.#stop.signal.aborted) process.exit(NOT_POSSIBLE);
    this.#stop.abort();
    if (this.#isReplaying)
      process.stderr.write('Finishing the replay that executes. Press Ctrl-C again to end without a result.\n');
  }

  async #find(runs: EndedRuns): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      for (const runId of await this.#poll(runs)) {
        if (this.#waiting.length < WAITING_MAX) this.#waiting.push(runId);
        else this.#skip(runId, 'fell_behind');
      }
      await this.#pause(POLL_MS);
    }
  }

  /** A server that is restarted does not end the command. */
  async #poll(runs: EndedRuns): Promise<string[]> {
    try {
      const ended = await runs.poll();
      this.#hasWarned = false;
      return ended;
    } catch (error) {
      if (!(error instanceof CommandError) || (error instanceof HttpError && isFinal(error))) throw error;
      if (!this.#hasWarned) process.stderr.write(`${printable(error.message)} Trying again.\n`);
      this.#hasWarned = true;
      return [];
    }
  }

  async #replayAll(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const runId = this.#waiting.shift();
      if (runId === undefined) {
        await this.#pause(IDLE_MS);
        continue;
      }
      this.#isReplaying = true;
      await this.#replayOne(runId);
      this.#isReplaying = false;
    }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  async #replayOne(runId: string): Promise<void> {
    const { client, flags, scores } = this.#parts;
    try {
      if ((await recordingLink(client, runId)) === null) return this.#skip(runId, 'not_recorded');
      const recorded = await readRecordedRun(client, runId, null);
      const { result, isCancelled } = await this.#execute(recorded);
      const comparison = compareTraces(recorded.steps, result.steps);
      const root = rootStepOf(recorded.steps);
      const before = { root, feedback: scores === 0 ? [] : await this.#feedbackOf(recorded, root) };
      const { graphId } = recorded;
      const upload = flags.upload === true ? await uploadReplay(client, runId, result.steps) : null;
      const { status, report } = result;
      const shadowed = { runId, graphId, status, isCancelled, comparison, unrecorded: report.unrecorded, upload };
      this.#pairs.add(graphId, { runId, recorded: root, before, after: sideOf(result) });
      this.#tally.add(shadowed);
      print(flags.json === true ? shadowedJson(shadowed) : shadowedText(shadowed));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      this.#skip(runId, 'not_readable', error.message);
    }
  }

  async #execute({ run }: RecordedRunFile): Promise<{ result: SandboxResult; isCancelled: boolean }> {
    const { sandbox, settings, scores } = this.#parts;
    let isCancelled = false;
    const timer = setTimeout(() => {
      isCancelled = true;
      void sandbox.cancelRuns();
    }, settings.timeoutMs);
    try {
      return { result: await sandbox.run(run, scores), isCancelled };
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Scores that the evaluators of the new project give to the live run: its own code is executed again beside them.
   * None if that gives other outputs, or if the server does not keep the code.
   */
  async #feedbackOf(
    { run, runId, graphId, codeVersion }: RecordedRunFile,
    root: RootStep,
  ): Promise<JudgedSide['feedback']> {
    const { client, sandbox, scores } = this.#parts;
    if (codeVersion === null) return [];
    try {
      const warn = (text: string): void => void process.stderr.write(`${printable(text)}\n`);
      const code = await loadKeptVersion(client, codeVersion, { sandbox, graphId, warn });
      const { steps, feedback } = await sandbox.run({ ...run, replayId: `${runId}-live`, code }, scores);
      return hasSameOutputs(root, rootStepOf(steps)) ? feedback : [];
    } catch (error) {
      if (error instanceof CommandError) return [];
      throw error;
    }
  }

  #skip(runId: string, reason: SkipReason, why: string | null = null): void {
    this.#tally.countSkipped(reason);
    if (this.#parts.flags.json === true) print(JSON.stringify({ run_id: runId, skipped: reason, why }));
    else if (why !== null) print(printable(`${runId}: not replayed: ${why}`));
  }

  /** Prints the summary, and the comparison of both sides. Returns the exit code. */
  async judge(runs: EndedRuns): Promise<number> {
    const { client, settings, flags } = this.#parts;
    const { apiKey, json = false } = flags;
    print(json ? this.#tally.json(runs.isIncomplete) : `\n${this.#tally.text(runs.isIncomplete)}`);
    if (this.#tally.replayed === 0) {
      process.stderr.write('No run was replayed, so there is nothing to judge the new code by.\n');
      return UNDECIDED;
    }
    const at = new Date().toISOString();
    let worst = 0;
    for (const [graphId, pairs] of this.#pairs.byGraph) {
      if (!json) print('');
      const verdict = await judgePairs(client, pairs, {
        ...{ dataset: `shadow ${graphId}`, scores: settings.scores, json },
        names: [`${graphId} live ${at}`, `${graphId} shadow ${at}`],
        ...(apiKey === undefined ? {} : { apiKey }),
      });
      // Worse is worse than undecided.
      if (verdict === WORSE || worst === 0) worst = verdict;
    }
    return worst;
  }
}

const TOO_MANY_REQUESTS = 429;

/** True if the same request would fail again. */
function isFinal({ status }: HttpError): boolean {
  return status < 500 && status !== TOO_MANY_REQUESTS;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
