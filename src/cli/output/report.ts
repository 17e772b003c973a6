import { readFileSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '../../base/json/json.js';
import { staticFile } from '../../base/places.js';
import { CommandError, HttpError, type Client } from '../client.js';

/** The console's page for saved comparisons (console/src/report/), and what it takes: `SavedComparison` of console/src/pages/datasets/compare/saved.ts, with the same bounds. */
const TEMPLATE = 'report.html';
const PLACE = '{{data}}';
const ROWS_MAX = 10_000;
const CHARS_MAX = 60_000_000;
const VALUE_CHARS_MAX = 20_000;
/** Rows that are asked for at once. */
const LIMIT = 500;

export interface ReportQuestion {
  datasetId: string;
  /** What of the comparison is asked: experiments, baseline, confidence. */
  body: JsonObject;
  confidence: number;
  /** The score that is shown first; null: the first in the alphabet. */
  key: string | null;
}

/** Writes a comparison as one HTML file that needs no server. Throws CommandError when it cannot be written. */
export async function writeReport(
  client: Client,
  file: string,
  { datasetId, body, confidence, key }: ReportQuestion,
): Promise<void> {
  const { id, name } = JSON.parse(await client.get(`/api/v1/datasets/${datasetId}`)) as { id: string; name: string };
  const { pages, complete } = await allPages(client, `/api/v1/datasets/${datasetId}/comparison`, body);
  const about = { at: new Date().toISOString(), dataset: { id, name }, view: { key, confidence }, complete };
  // The answers go in as they came, long numbers and all. A `<` in them is written as a number: nothing that anybody has said can end the element it stands in.
  const json = `${JSON.stringify(about).slice(0, -1)},"pages":[${pages.join(',')}]}`.replaceAll(
    '<',
    String.raw`\u003c`,
  );
  try {
    writeFileSync(
      file,
      readFileSync(staticFile('console', TEMPLATE), 'utf8').replace(PLACE, () => json),
      { mode: 0o600 },
    );
  } catch (error) {
    throw new CommandError(`--html: "${file}" cannot be written: ${(error as Error).message}`);
  }
}

async function allPages(
  client: Client,
  path: string,
  body: JsonObject,
): Promise<{ pages: string[]; complete: boolean }> {
  const pages: string[] = [];
  let [rows, chars, limit, complete] = [0, 0, LIMIT, false];
  while (!complete && rows < ROWS_MAX && chars < CHARS_MAX) {
    const page = await pageOr(
      client,
      path,
      { ...body, sort_by: 'example', offset: rows, limit, value_chars_max: VALUE_CHARS_MAX },
      limit > 1,
    );
    if (page === null) {
      // Too much for one answer: fewer at once.
      limit = Math.ceil(limit / 2);
      continue;
    }
    const { rows: found, total } = JSON.parse(page) as { rows: unknown[]; total: number };
    pages.push(page);
    rows += found.length;
    chars += page.length;
    complete = rows >= total || found.length === 0;
  }
  return { pages, complete };
}

async function pageOr(client: Client, path: string, body: JsonObject, mayBeLess: boolean): Promise<string | null> {
  try {
    return await client.post(path, body);
  } catch (error) {
    if (mayBeLess && error instanceof HttpError && error.status === 422) return null;
    throw error;
  }
}
