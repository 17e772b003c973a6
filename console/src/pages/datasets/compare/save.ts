import { askResponse, saveFile, ServerError } from '../../../api/http.js';
import { filled, SAVED_CHARS_MAX, SAVED_ROWS_MAX, SAVED_VALUE_CHARS_MAX, type SavedComparison } from './saved.js';
import { askOf, type View } from './view.js';

const LIMIT = 500;

/** Reads every row there is, whatever the filter, and saves them as a page that needs no server. */
export async function saveComparison(
  datasetId: string,
  name: string,
  view: View,
  onRead: (rows: number) => void,
): Promise<void> {
  const template = await (await askResponse('console/report.html')).text();
  const pages: string[] = [];
  let [rows, chars, limit, complete] = [0, 0, LIMIT, false];
  while (!complete && rows < SAVED_ROWS_MAX && chars < SAVED_CHARS_MAX) {
    const page = await pageOf(datasetId, view, rows, limit);
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
    onRead(rows);
  }
  const { experiments: _experiments, row: _row, cell: _cell, ...kept } = view;
  const about: Omit<SavedComparison, 'pages'> = {
    at: new Date().toISOString(),
    dataset: { id: datasetId, name },
    view: kept,
    complete,
  };
  // The answers go in as they came: what JavaScript cannot hold is not lost.
  const json = `${JSON.stringify(about).slice(0, -1)},"pages":[${pages.join(',')}]}`;
  saveFile(
    new Blob([filled(template, json)], { type: 'text/html;charset=utf-8' }),
    `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80)}-comparison.html`,
  );
}

async function pageOf(datasetId: string, view: View, offset: number, limit: number): Promise<string | null> {
  try {
    const body = {
      ...askOf(view),
      full_text_contains: null,
      only: null,
      sort_by: 'example',
      sort_order: 'asc',
      offset,
      limit,
      value_chars_max: SAVED_VALUE_CHARS_MAX,
    };
    return await (
      await askResponse(`api/v1/datasets/${encodeURIComponent(datasetId)}/comparison`, { method: 'POST', body })
    ).text();
  } catch (error) {
    if (error instanceof ServerError && error.status === 422 && limit > 1) return null;
    throw error;
  }
}
