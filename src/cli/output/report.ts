import { readFileSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '../../base/json/json.js';
import { staticFile } from '../../base/program-files.js';
import { CommandError, HttpError, type Client } from '../client.js';

/**
 * The console's page for saved comparisons (console/src/report/). Its data is a `SavedComparison` of
 * console/src/pages/datasets/compare/saved.ts, with the same limits.
 */
const TEMPLATE = 'report.html';
const DATA_PLACEHOLDER = '{{data}}';
const ROWS_MAX = 10_000;
const CHARS_MAX = 60_000_000;
const VALUE_CHARS_MAX = 20_000;
/** Rows per request. */
const PAGE_ROWS_MAX = 500;

export interface ReportOptions {
  datasetId: string;
  /** Body of the comparison requests: experiments, baseline, confidence. */
  body: JsonObject;
  confidence: number;
  correction: string;
  /** The score that the page shows first; null for the first in alphabetical order. */
  key: string | null;
}

/** Writes a comparison to one HTML file that needs no server. Throws CommandError if the file cannot be written. */
export async function writeReport(
  client: Client,
  file: string,
  { datasetId, body, confidence, correction, key }: ReportOptions,
): Promise<void> {
  const { id, name } = JSON.parse(await client.get(`/api/v1/datasets/${datasetId}`)) as { id: string; name: string };
  const { pages, complete } = await fetchPages(client, `/api/v1/datasets/${datasetId}/comparison`, body);
  const about = {
    at: new Date().toISOString(),
    dataset: { id, name },
    view: { key, confidence, correction },
    complete,
  };
  // Responses are inserted as text, so that long numbers stay exact. `<` is escaped, so that no text in them can end
  // the script element.
  const json = `${JSON.stringify(about).slice(0, -1)},"pages":[${pages.join(',')}]}`.replaceAll(
    '<',
    String.raw`\u003c`,
  );
  try {
    writeFileSync(
      file,
      readFileSync(staticFile('console', TEMPLATE), 'utf8').replace(DATA_PLACEHOLDER, () => json),
      { mode: 0o600 },
    );
  } catch (error) {
    throw new CommandError(`--html: "${file}" cannot be written: ${(error as Error).message}`);
  }
}

async function fetchPages(
  client: Client,
  path: string,
  body: JsonObject,
): Promise<{ pages: string[]; complete: boolean }> {
  const pages: string[] = [];
  let [rows, chars, limit, complete] = [0, 0, PAGE_ROWS_MAX, false];
  while (!complete && rows < ROWS_MAX && chars < CHARS_MAX) {
    const page = await fetchPage(
      client,
      path,
      { ...body, sort_by: 'example', offset: rows, limit, value_chars_max: VALUE_CHARS_MAX },
      limit > 1,
    );
    if (page === null) {
      // The rows exceed the size of one response. Request fewer.
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

/** One page, or null if it is too large for one response and `canShrink` is true. */
async function fetchPage(client: Client, path: string, body: JsonObject, canShrink: boolean): Promise<string | null> {
  try {
    return await client.post(path, body);
  } catch (error) {
    if (canShrink && error instanceof HttpError && error.status === 422) return null;
    throw error;
  }
}
