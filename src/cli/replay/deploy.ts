import { shortVersion } from '../../domain/code-version.js';
import type { UnrecordedPolicy } from '../../wire/user-code/graph-source.js';
import { Client, CommandError, printable, runCommand } from '../client.js';
import { translateStoreErrors } from '../data-folder/store-errors.js';
import { runCheck } from './check.js';
import { checkText } from './check-report.js';
import { evaluatorsOf, judgePairs, newestRecordedRuns, parseGate, replayPairs, type GateSpec } from './gate.js';
import { keptVersions } from './kept-version.js';
import { configFileOf, sandboxOptions } from './replay.js';
import { Sandbox } from './sandbox.js';
import { secretVariablesOf } from './secret-variables.js';

export interface DeployFlags {
  url: string;
  apiKey?: string;
  check?: boolean;
  gate?: string;
  deployUndecided?: boolean;
  dryRun?: boolean;
  unrecorded: UnrecordedPolicy;
  stubs?: string;
  markdown?: string;
}

const NOT_DEPLOYED = 3;
const WORSE = 1;
const UNDECIDED = 2;

interface DeployedJson {
  config: string;
  graphs: { graph_id: string; before: string | null; version: string | null; changed: boolean }[];
  restart_needed: string[];
}

/** Lets a server load the code at `place`, if it passes the checks that the flags ask for. */
export function deploy(place: string, flags: DeployFlags): Promise<void> {
  return runCommand(NOT_DEPLOYED, () =>
    translateStoreErrors(async () => {
      const client = new Client(flags);
      const spec = flags.gate === undefined ? null : parseGate(flags.gate);
      if (flags.check === true) {
        const summary = await runCheck(place, { ...flags, graph: [] });
        print(checkText(summary));
        if (summary.failed > 0) return keepOld(WORSE, 'threads that wait would break');
      }
      if (spec !== null) {
        const verdict = await passGate(client, place, { flags, spec });
        if (verdict === WORSE) return keepOld(WORSE, 'the new code is worse');
        if (verdict === UNDECIDED && flags.deployUndecided !== true)
          return keepOld(
            UNDECIDED,
            'there is not enough evidence. Replay more runs, or deploy anyway with --deploy-undecided',
          );
      }
      if (flags.dryRun === true) {
        print('Not deployed, because of --dry-run.');
        return 0;
      }
      print(deployedText(await switchCode(client, configFileOf(place))));
      return 0;
    }),
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function keepOld(code: number, reason: string): number {
  print(`Not deployed: ${reason}. The old code keeps serving.`);
  return code;
}

async function switchCode(client: Client, config: string): Promise<DeployedJson> {
  return JSON.parse(await client.post('/server/code', { config })) as DeployedJson;
}

function deployedText({ config, graphs, restart_needed: restart }: DeployedJson): string {
  const lines = graphs.map(({ graph_id: graphId, before, version, changed }) => {
    if (!changed) return `${graphId}: unchanged (${version ?? 'none'})`;
    return version === null
      ? `${graphId}: removed (it was ${before ?? 'none'})`
      : `${graphId}: ${version} (before: ${before ?? 'none'})`;
  });
  return [
    'Deployed. New runs execute the new code; runs that execute keep theirs.',
    ...lines,
    `Start the server with --config ${config} from now on.`,
    ...(restart.length > 0 ? [`Changed, and applied after a restart only: ${restart.join(', ')}.`] : []),
  ]
    .map(printable)
    .join('\n');
}

/** Replays recorded runs of each graph whose code is new. Returns the worst result: 0, 1 worse, 2 undecided. */
async function passGate(
  client: Client,
  place: string,
  { flags, spec }: { flags: DeployFlags; spec: GateSpec },
): Promise<number> {
  const evaluators = evaluatorsOf(spec);
  const options = sandboxOptions({ ...flags, graph: place }, await secretVariablesOf(client, place));
  const sandbox = await Sandbox.open({ ...options, evaluators });
  try {
    let worst = 0;
    let judged = 0;
    for (const graphId of sandbox.graphIds) {
      const current = (await keptVersions(client, graphId)).find((one) => one.current);
      const [candidate] = (await keptVersions(sandbox.client, graphId)).filter((one) => one.current);
      if (current === undefined || candidate === undefined || current.hash === candidate.hash) continue;
      const runs = await newestRecordedRuns(client, graphId, spec.last);
      if (runs.length === 0) continue;
      judged += 1;
      const { version } = current;
      const pairs = await replayPairs(runs, { client, sandbox, version, scores: evaluators.length });
      const at = new Date().toISOString();
      const names: [string, string] = [
        `${graphId} ${version} ${at}`,
        `${graphId} ${shortVersion(candidate.hash)} ${at}`,
      ];
      const { markdown, apiKey } = flags;
      const verdict = await judgePairs(client, pairs, {
        ...{ dataset: `gate ${graphId}`, names, scores: spec.scores },
        ...(markdown === undefined ? {} : { markdown }),
        ...(apiKey === undefined ? {} : { apiKey }),
      });
      // Worse is worse than undecided.
      if (verdict === WORSE || worst === 0) worst = verdict;
    }
    if (judged === 0)
      throw new CommandError(
        '--gate: there is nothing to judge: no graph has other code and runs that were recorded with ' +
          '"traces": {"record_calls": ...}. Deploy without --gate, or record some runs first.',
      );
    return worst;
  } finally {
    await sandbox.close();
  }
}
