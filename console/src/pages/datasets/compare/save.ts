import { fetchResponse, saveFile, ServerError } from '../../../api/http.js';
import { fillTemplate, SAVED_CHARS_MAX, SAVED_ROWS_MAX, SAVED_VALUE_CHARS_MAX, type SavedComparison } from './saved.js';
import { comparisonRequest, type View } from './view.js';

const ROWS_PER_REQUEST = 500;

/** Reads all rows, regardless of the filter, and downloads them as a standalone HTML page. */
export async function saveComparison(
  datasetId: string,
  name: string,
  view: View,
  onRead: (rows: number) => void,
): Promise<void> {
  const template = await (await fetchResponse('console/report.html')).text();
  const pages: string[] = [];
  let [rows, chars, limit, complete] = [0, 0, ROWS_PER_REQUEST, false];
  while (!complete && rows < SAVED_ROWS_MAX && chars < SAVED_CHARS_MAX) {
    const page = await fetchPageText(datasetId, view, rows, limit);
    if (page === null) {
      // The response would be too large: request fewer rows at once.
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
  // Responses are inserted as text, so that numbers keep their precision.
  const json = `${JSON.stringify(about).slice(0, -1)},"pages":[${pages.join(',')}]}`;
  saveFile(
    new Blob([fillTemplate(template, json)], { type: 'text/html;charset=utf-8' }),
    `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80)}-comparison.html`,
  );
}

async function fetchPageText(datasetId: string, view: View, offset: number, limit: number): Promise<string | null> {
  try {
    const body = {
      ...comparisonRequest(view),
      full_text_contains: null,
      only: null,
      sort_by: 'example',
      sort_order: 'asc',
      offset,
      limit,
      value_chars_max: SAVED_VALUE_CHARS_MAX,
    };
    return await (
      await fetchResponse(`api/v1/datasets/${encodeURIComponent(datasetId)}/comparison`, { method: 'POST', body })
    ).text();
  } catch (error) {
    if (error instanceof ServerError && error.status === 422 && limit > 1) return null;
    throw error;
  }
}
