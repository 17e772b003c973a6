import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isObject } from '../../base/json/json.js';
import type { ReplayReport, UnrecordedCall } from '../../wire/runs/replay-report.js';
import type { GraphSource, StubAnswer, UnrecordedPolicy } from '../../wire/user-code/graph-source.js';
import { Client, CommandError, printable, runCommand } from '../client.js';
import { translateStoreErrors } from '../data-folder/store-errors.js';
import { countOf } from '../output/comparison.js';
import { wholeNumber } from '../whole-number.js';
import { compareTraces, type StepDifference, type TraceComparison } from './compare-traces.js';
import { loadKeptVersion } from './kept-version.js';
import { readRecordedRun, type RecordedRunFile } from './recorded-run.js';
import { Sandbox, type SandboxOptions, type SandboxResult } from './sandbox.js';
import { uploadReplay } from './upload-replay.js';

export interface ReplayFlags {
  url: string;
  apiKey?: string;
  graph: string;
  code?: string;
  from?: string;
  unrecorded: UnrecordedPolicy;
  stubs?: string;
  timing?: boolean;
  upload?: boolean;
  inspectBrk?: string | true;
  json?: boolean;
}

const NOT_REPLAYED = 3;
const DEBUG_PORT = 9_229;

/** Executes a run of a server again, and compares its steps with those of the run. */
export function replay(runId: string, flags: ReplayFlags): Promise<void> {
  return runCommand(NOT_REPLAYED, () =>
    translateStoreErrors(async () => {
      const client = new Client(flags);
      const recorded = await readRecordedRun(client, runId, flags.from ?? null);
      if (recorded.recording === null && flags.unrecorded === 'refuse')
        process.stderr.write(
          'What the run got from outside was not recorded, so all its requests are refused. ' +
            'Record runs with "traces": {"record_calls": true}.\n',
        );
      const sandbox = await Sandbox.open(sandboxOptions(flags, recorded.recording?.secretVariables ?? []));
      let result: SandboxResult;
      try {
        checkGraph(sandbox, recorded, flags.graph);
        const code = flags.code === undefined ? null : await namedCode(flags.code, { client, sandbox, recorded });
        result = await sandbox.run({ ...recorded.run, code });
      } finally {
        await sandbox.close();
      }
      const comparison = compareTraces(recorded.steps, result.steps);
      const shown = flags.upload === true ? await uploadReplay(client, runId, result.steps) : null;
      const text =
        flags.json === true
          ? JSON.stringify({ run_id: runId, status: result.status, ...comparison, ...result.report, upload: shown })
          : replayText(recorded, { comparison, report: result.report, consoleUrl: shown?.console ?? null });
      process.stdout.write(`${text}\n`);
      const exitCode = comparison.differences.length === 0 ? 0 : 1;
      if (flags.inspectBrk !== undefined) process.exit(exitCode);
      return exitCode;
    }),
  );
}

/** The code of --code: a version that the server keeps, or `recorded` for the one that executed the run. */
async function namedCode(
  name: string,
  { client, sandbox, recorded }: { client: Client; sandbox: Sandbox; recorded: RecordedRunFile },
): Promise<GraphSource> {
  const { codeVersion, graphId, runId } = recorded;
  const version = name === 'recorded' ? codeVersion : name;
  if (version === null) throw new CommandError(`--code: the trace of the run ${runId} does not name its code version`);
  return loadKeptVersion(client, version, { sandbox, graphId, warn: (text) => process.stderr.write(`${text}\n`) });
}

/** Throws CommandError if the code does not have the graph. */
export function checkGraph(sandbox: Sandbox, { graphId, runId }: RecordedRunFile, place: string): void {
  if (!sandbox.graphIds.includes(graphId))
    throw new CommandError(
      `The run ${runId} is of the graph "${graphId}", which ${place} does not have (it has: ` +
        `${sandbox.graphIds.join(', ')}).`,
    );
}

/** The settings of a sandbox that the flags of several commands give. */
export function sandboxOptions(
  flags: Pick<ReplayFlags, 'graph' | 'unrecorded' | 'stubs' | 'timing' | 'inspectBrk'>,
  secretVariables: readonly string[],
): SandboxOptions {
  if ((flags.stubs !== undefined) !== (flags.unrecorded === 'stub'))
    throw new CommandError('--stubs: is needed with --unrecorded stub, and has no effect without it');
  const { inspectBrk } = flags;
  return {
    configFile: configFileOf(flags.graph),
    secretVariables,
    unrecorded: flags.unrecorded,
    stubs: flags.stubs === undefined ? [] : readStubs(flags.stubs),
    keepsTiming: flags.timing === true,
    debugPort:
      inspectBrk === undefined ? null : inspectBrk === true ? DEBUG_PORT : wholeNumber('--inspect-brk', inspectBrk)!,
  };
}

/** `place`: a langgraph.json, or the folder of one. */
export function configFileOf(place: string): string {
  const path = resolve(place);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, 'langgraph.json') : path;
}

/** Throws CommandError with the place of a problem. */
export function readStubs(file: string): StubAnswer[] {
  let list: unknown;
  try {
    list = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`--stubs: "${file}" cannot be read: ${(error as Error).message}`);
  }
  if (!Array.isArray(list)) throw new CommandError(`--stubs: "${file}" must be a list of answers`);
  return list.map((stub: unknown, at) => {
    const place = `--stubs: "${file}", answer ${at}`;
    if (!isObject(stub)) throw new CommandError(`${place}: must be an object`);
    const { method = 'GET', url, status = 200, headers = {}, body = '' } = stub;
    if (typeof url !== 'string' || url === '')
      throw new CommandError(`${place}.url: must be an address, or the beginning of one`);
    if (typeof method !== 'string') throw new CommandError(`${place}.method: must be a text, such as "POST"`);
    if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
      throw new CommandError(`${place}.status: must be a number from 200 to 599`);
    if (!isObject(headers) || !Object.values(headers).every((one) => typeof one === 'string'))
      throw new CommandError(`${place}.headers: must be an object of texts`);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { method: method.toUpperCase(), url, status, headers: headers as Record<string, string>, body: text };
  });
}

const LIST_MAX = 5;
const VALUE_CHARS = 300;

function replayText(
  { runId, graphId }: RecordedRunFile,
  { comparison, report, consoleUrl }: { comparison: TraceComparison; report: ReplayReport; consoleUrl: string | null },
): string {
  const { equal, differences } = comparison;
  const lines = [`Run ${runId} of the graph "${graphId}", replayed.`];
  const [first] = differences;
  if (first === undefined) lines.push(equal === 1 ? 'The only step is equal.' : `All ${equal} steps are equal.`);
  else
    lines.push(
      `${countOf(equal, 'equal step')}, ${countOf(differences.length, 'difference')}.`,
      '',
      ...differenceLines(first),
    );
  const others = differences.slice(1, LIST_MAX).map((one) => `  ${titleOf(one)}`);
  if (others.length > 0) lines.push('', 'Further differences:', ...others);
  lines.push('', ...callLines(report));
  if (consoleUrl !== null) lines.push('', `Compare both: ${consoleUrl}`);
  return lines.join('\n');
}

/** What differs, with the value before and after. */
export function differenceLines(one: StepDifference): string[] {
  return [
    `First difference: ${titleOf(one)}`,
    ...(one.kind === 'added' ? [] : [`  - ${shorten(one.before)}`]),
    ...(one.kind === 'missing' ? [] : [`  + ${shorten(one.after)}`]),
  ];
}

/** The step, and what differs. */
export function titleOf({ path, runType, kind, field }: StepDifference): string {
  const what = { changed: `other ${field}`, missing: 'did not execute', added: 'was not in the run' }[kind];
  return printable(`${path.join(' > ')} (${runType}): ${what}`);
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value.split('\n')[0]! : JSON.stringify(value);
  return printable(text.length > VALUE_CHARS ? `${text.slice(0, VALUE_CHARS)}…` : text);
}

function callLines({ answered, unrecorded, unused }: ReplayReport): string[] {
  return [
    `${countOf(answered, 'request')} got the recorded answer.`,
    ...unrecorded.slice(0, LIST_MAX).map((call) => printable(unrecordedText(call))),
    ...(unrecorded.length > LIST_MAX ? [`${unrecorded.length - LIST_MAX} more were not recorded.`] : []),
    ...(unused.length > 0 ? [`${countOf(unused.length, 'recorded request')} not made again.`] : []),
  ];
}

function unrecordedText({ method, url, answer, isKnownAddress }: UnrecordedCall): string {
  const request = method === '' ? url : `${method} ${url}`;
  if (method === '') return `Refused: ${request}.`;
  const reason = isKnownAddress ? 'was recorded with another body only' : 'was not recorded';
  const outcome = {
    refused: 'it was refused',
    nearest: 'it got the next recorded answer of this address',
    stub: 'it got an answer of --stubs',
    live: 'it was sent',
  }[answer];
  return `${request} ${reason}: ${outcome}.`;
}
