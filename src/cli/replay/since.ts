import { isDeepStrictEqual } from 'node:util';
import type { UnrecordedPolicy } from '../../wire/user-code/graph-source.js';
import { Client, CommandError, printable, runCommand } from '../client.js';
import { translateStoreErrors } from '../data-folder/store-errors.js';
import { createProgressBar } from '../output/progress.js';
import { formatTable } from '../output/table.js';
import { comparableValue, compareTraces, type StepDifference } from './compare-traces.js';
import { keptVersions, loadKeptVersion, type ListedVersion } from './kept-version.js';
import { readRecordedRun, type RecordedRunFile } from './recorded-run.js';
import { checkGraph, differenceLines, sandboxOptions } from './replay.js';
import { Sandbox, type SandboxResult } from './sandbox.js';
import type { TraceStep } from './trace-steps.js';

export interface SinceFlags {
  url: string;
  apiKey?: string;
  graph: string;
  unrecorded: UnrecordedPolicy;
  stubs?: string;
  json?: boolean;
}

/** A version under which the run was executed again. */
interface TriedVersion {
  version: string;
  firstUsedAt: string;
  /** True if it gives what the run gave. */
  isSame: boolean;
  steps: TraceStep[];
}

const NOT_FOUND_OUT = 3;

/** Executes a run under all versions of its code that the server keeps, and names the first that gives its result. */
export function since(runId: string, flags: SinceFlags): Promise<void> {
  return runCommand(NOT_FOUND_OUT, () =>
    translateStoreErrors(async () => {
      const client = new Client(flags);
      const recorded = await readRecordedRun(client, runId, null);
      const versions = await versionsUntil(client, recorded);
      const sandbox = await Sandbox.open(sandboxOptions(flags, recorded.recording?.secretVariables ?? []));
      let tried: TriedVersion[];
      try {
        checkGraph(sandbox, recorded, flags.graph);
        tried = await tryVersions(versions, { client, sandbox, recorded });
      } finally {
        await sandbox.close();
      }
      const lastOther = tried.findLastIndex(({ isSame }) => !isSame);
      const [before = null, first = null] = lastOther < 0 ? [] : [tried[lastOther]!, tried[lastOther + 1] ?? null];
      const change = before === null || first === null ? null : compareTraces(before.steps, first.steps).differences[0];
      const found = { before, first, change: change ?? null };
      process.stdout.write(
        `${flags.json === true ? sinceJson(runId, tried, found) : sinceText(recorded, tried, found)}\n`,
      );
      return first === null ? 1 : 0;
    }),
  );
}

/** The kept versions up to the one that executed the run. Throws CommandError if that is not known or not kept. */
async function versionsUntil(
  client: Client,
  { graphId, runId, codeVersion }: RecordedRunFile,
): Promise<ListedVersion[]> {
  const versions = await keptVersions(client, graphId);
  const own = versions.findIndex(({ version }) => version === codeVersion);
  if (own < 0)
    throw new CommandError(
      `The server does not keep the code version ${codeVersion ?? '(not known)'} that executed the run ${runId}.`,
    );
  return versions.slice(0, own + 1);
}

async function tryVersions(
  versions: readonly ListedVersion[],
  { client, sandbox, recorded }: { client: Client; sandbox: Sandbox; recorded: RecordedRunFile },
): Promise<TriedVersion[]> {
  const { graphId, run, steps } = recorded;
  const warnings = new Set<string>();
  const tried: TriedVersion[] = [];
  const bar = createProgressBar(versions.length, 'with another result');
  try {
    for (const { version, first_used_at: firstUsedAt = '' } of versions) {
      const warn = (text: string): void => void warnings.add(text);
      const code = await loadKeptVersion(client, version, { sandbox, graphId, warn });
      const result = await sandbox.run({ ...run, replayId: `${run.replayId}-${version}`, code });
      tried.push({ version, firstUsedAt, steps: result.steps, isSame: hasSameResult(steps, result) });
      bar.update(tried.length, tried.filter(({ isSame }) => !isSame).length);
    }
  } finally {
    bar.stop();
  }
  for (const text of warnings) process.stderr.write(`${text}\n`);
  return tried;
}

function hasSameResult([root]: readonly TraceStep[], { steps: [replayed] }: SandboxResult): boolean {
  return (['outputs', 'error'] as const).every((field) =>
    isDeepStrictEqual(comparableValue(root![field], field), comparableValue(replayed![field], field)),
  );
}

interface Found {
  before: TriedVersion | null;
  first: TriedVersion | null;
  change: StepDifference | null;
}

function sinceText({ runId, graphId }: RecordedRunFile, tried: readonly TriedVersion[], found: Found): string {
  const { before, first, change } = found;
  const table = formatTable(
    ['version', 'first used', 'result'],
    tried.map(({ version, firstUsedAt, isSame }) => [version, firstUsedAt, isSame ? 'as in the run' : 'another one']),
  );
  const conclusion =
    first !== null
      ? [
          `Since version ${first.version}, first used at ${first.firstUsedAt}. With ${before!.version} before it:`,
          ...(change === null ? [] : differenceLines(change)),
        ]
      : before === null
        ? ['All versions that are kept give the result of the run. What changed it is older, or not code.']
        : ['The version that executed the run gives another result now, so the code alone does not explain it.'];
  return [`Run ${runId} of the graph "${graphId}", under each version that is kept:`, table, '', ...conclusion]
    .map((line) => line.split('\n').map(printable).join('\n'))
    .join('\n');
}

function sinceJson(runId: string, tried: readonly TriedVersion[], { before, first, change }: Found): string {
  return JSON.stringify({
    run_id: runId,
    versions: tried.map(({ version, firstUsedAt, isSame }) => ({
      ...{ version, first_used_at: firstUsedAt, same_result: isSame },
    })),
    before: before?.version ?? null,
    since: first?.version ?? null,
    change,
  });
}
