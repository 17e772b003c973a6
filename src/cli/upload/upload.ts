import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { basename, extname } from 'node:path';
import { utf8 } from '../../base/json/json.js';
import { memberMap, wholeValue } from '../../base/json/slices.js';
import { Client, CommandError, problemText, HttpError, runCommand, type Connection } from '../client.js';
import { createProgressBar } from '../output/progress.js';
import { formatPairs, formatNumber, formatPercent, formatSeconds, formatTable } from '../output/table.js';
import { parseExperimentFlags, UploadBody } from './upload-body.js';
import { readItems } from './upload-file.js';

export interface UploadFlags extends Connection {
  dataset?: string;
  datasetId?: string;
  experiment?: string;
  description?: string;
  metadata?: string;
  json?: boolean;
}

const STATISTICS_WAIT_MS = 10_000;
const POLL_MS = 50;

interface FeedbackStats {
  n: number;
  avg: number | null;
  values: Record<string, number> | null;
}

interface Experiment {
  id: string;
  name: string;
  test_run_number: number | null;
  run_count: number | null;
  error_rate: number | null;
  latency_p50: number | null;
  latency_p99: number | null;
  feedback_stats: Record<string, FeedbackStats> | null;
  session_feedback_stats: Record<string, FeedbackStats> | null;
}

interface Dataset {
  name: string;
  example_count: number;
  session_count: number;
}

/** Uploads a file of results and prints the server's statistics. */
export function upload(file: string, flags: UploadFlags): Promise<void> {
  return runCommand(1, async () => {
    const client = new Client(flags);
    const experimentFlags = parseExperimentFlags(flags);
    const { size, modified } = await statFile(file);
    const items = readItems(file);
    const bar = createProgressBar(size, 'rows');
    const body = new UploadBody({
      file,
      items,
      flags: experimentFlags,
      defaultName: `${basename(file, extname(file))} ${modified}`,
      onProgress: (bytesRead, rows) => bar.update(bytesRead, rows),
    });
    let answer: string;
    try {
      answer = await client.postStream('/api/v1/datasets/upload-experiment', body.chunks());
      bar.update(size, body.lines.length);
    } catch (error) {
      throw error instanceof HttpError ? explainRefusal(error, file, body, client) : error;
    } finally {
      bar.stop();
    }
    const experiment = await waitForStatistics(client, memberJson(answer, 'experiment'), body.lines.length);
    const before = memberJson(answer, 'dataset');
    const dataset = (await fetchCurrent(client, '/api/v1/datasets', before)) ?? before;
    if (flags.json === true) process.stdout.write(`{"experiment":${experiment},"dataset":${dataset}}\n`);
    else {
      const uploaded = JSON.parse(experiment) as Experiment;
      const addresses = {
        api: `${client.url}/api/v1/sessions/${uploaded.id}`,
        console: await client.consoleUrl(`/experiments/${uploaded.id}`),
      };
      process.stdout.write(`${formatSummary(uploaded, JSON.parse(dataset) as Dataset, body, addresses)}\n`);
    }
    return 0;
  });
}

async function statFile(file: string): Promise<{ size: number; modified: string }> {
  try {
    const { size, mtime } = await stat(file);
    return { size, modified: `${mtime.toISOString().slice(0, 19)}Z` };
  } catch (error) {
    throw new CommandError(
      `${file}: ` +
        ((error as { code?: string }).code === 'ENOENT' ? 'the file does not exist' : (error as Error).message),
    );
  }
}

/** The server's problems, with the lines of the file to which they belong. */
function explainRefusal(refusal: HttpError, file: string, body: UploadBody, client: Client): CommandError {
  if (refusal.status === 409) {
    return new CommandError(
      `${refusal.message} An experiment with this name exists. Choose another name with --experiment.\n` +
        `If an earlier upload lost its connection, it may have succeeded. ` +
        `To see it: GET ${client.url}/api/v1/sessions?name=…`,
    );
  }
  if (refusal.problems.length === 0) return new CommandError(refusal.message);
  const texts = refusal.problems.map((place) => {
    const [, list, index] = place.loc;
    const line = list === 'results' && typeof index === 'number' ? body.lines[index] : undefined;
    return line === undefined ? problemText(place) : `${problemText(place)} (line ${line})`;
  });
  if (body.generatedIds > 0 && refusal.problems.some(({ type }) => type === 'row_conflict'))
    texts.push(
      'Rows without row_id are identified by their inputs. Give a row_id to rows that are different examples.',
    );
  return new CommandError([`${file} was refused, and nothing was stored.`, ...texts].join('\n'));
}

/** The JSON text of a member, unchanged. */
function memberJson(json: string, name: string): string {
  const bytes = utf8(json);
  const { start, end } = memberMap(bytes, wholeValue(bytes)).get(name)!;
  return Buffer.from(bytes.subarray(start, end)).toString('utf8');
}

/** Waits for the statistics of the experiment. Returns it without them if they take too long. */
async function waitForStatistics(client: Client, experiment: string, rows: number): Promise<string> {
  let known = experiment;
  for (const until = Date.now() + STATISTICS_WAIT_MS; Date.now() < until; await setTimeout(POLL_MS)) {
    const next = await fetchCurrent(client, '/api/v1/sessions', experiment);
    if (next === null) break;
    known = next;
    const { run_count: count, error_rate: errorRate } = JSON.parse(known) as Experiment;
    if (count !== null && (errorRate !== null || rows === 0)) break;
  }
  return known;
}

/**
 * The current state of a record, because the response to the upload has its state before the rows. Null if the server
 * cannot be reached.
 */
async function fetchCurrent(client: Client, path: string, record: string): Promise<string | null> {
  try {
    return await client.get(`${path}/${(JSON.parse(record) as { id: string }).id}`);
  } catch (error) {
    // The upload has succeeded, even if the server stops now.
    if (error instanceof CommandError) return null;
    throw error;
  }
}

function formatSummary(
  experiment: Experiment,
  dataset: Dataset,
  body: UploadBody,
  addresses: { api: string; console: string | null },
): string {
  const { latency_p50: p50, latency_p99: p99, error_rate: errorRate } = experiment;
  const parts = [
    formatPairs([
      ['dataset', dataset.name],
      [
        'experiment',
        `${experiment.name}${experiment.test_run_number === null ? '' : ` (number ${experiment.test_run_number} of its dataset)`}`,
      ],
      ['rows', String(body.lines.length)],
      ...(p50 === null ? [] : [['latency', `p50 ${formatSeconds(p50)}, p99 ${formatSeconds(p99)}`] as const]),
      ...(errorRate === null ? [] : [['errors', formatPercent(errorRate)] as const]),
      ['address', addresses.api],
      ...(addresses.console === null ? [] : [['console', addresses.console] as const]),
    ]),
  ];
  const scores = [
    ...Object.entries(experiment.feedback_stats ?? {}),
    ...Object.entries(experiment.session_feedback_stats ?? {}).map(
      ([key, stats]) => [`${key} (experiment)`, stats] as const,
    ),
  ].map(([key, { n, avg, values }]) => [
    key,
    String(n),
    formatNumber(avg),
    Object.entries(values ?? {})
      .map(([value, count]) => `${value}: ${count}`)
      .join(', '),
  ]);
  if (scores.length > 0) {
    const labelled = scores.some((row) => row[3] !== '');
    parts.push(
      formatTable(
        ['score', 'n', 'average', ...(labelled ? ['values'] : [])],
        scores.map((row) => (labelled ? row : row.slice(0, 3))),
        new Set(['n', 'average']),
      ),
    );
  }
  if (experiment.run_count === null) parts.push('The statistics are not ready yet. Read them at the address above.');
  if (body.generatedTimes > 0)
    parts.push(
      `${body.generatedTimes} of ${body.lines.length} rows had no start or end time, so their latency counts as 0.`,
    );
  return parts.join('\n\n');
}
