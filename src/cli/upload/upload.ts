import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { utf8 } from '../../base/json/json.js';
import { memberMap, wholeValue } from '../../base/json/slices.js';
import { Client, CommandError, problemText, HttpError, runCommand, type Connection } from '../client.js';
import { fetchCurrent, formatExperiment, waitForStatistics, type Experiment } from '../output/experiment.js';
import { createProgressBar } from '../output/progress.js';
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

interface Dataset {
  name: string;
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

function formatSummary(
  experiment: Experiment,
  dataset: Dataset,
  body: UploadBody,
  addresses: { api: string; console: string | null },
): string {
  const parts = [formatExperiment(experiment, { dataset: dataset.name, rows: body.lines.length, addresses })];
  if (body.generatedTimes > 0)
    parts.push(
      `${body.generatedTimes} of ${body.lines.length} rows had no start or end time, so their latency counts as 0.`,
    );
  return parts.join('\n\n');
}
