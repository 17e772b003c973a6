/** What a column of a file becomes. */
export type ColumnUse = 'inputs' | 'outputs' | 'metadata' | 'ignore';

/** Bytes that are read to find the names of the columns. */
const HEAD_BYTES = 256 * 1024;

export interface TableFile {
  file: File;
  isLines: boolean;
  /** Names of the columns of a CSV file. Null if the file has the form of an export, which needs no mapping. */
  columns: readonly string[] | null;
}

/** Reads which columns a CSV file has. Throws if it has none. */
export async function readTableFile(file: File): Promise<TableFile> {
  const isLines = /\.jsonl?$|\.ndjson$/i.test(file.name);
  if (isLines) return { file, isLines, columns: null };
  const columns = firstRecord(await file.slice(0, HEAD_BYTES).text());
  if (columns.every((name) => name.trim() === '')) throw new Error('The file has no column names in its first line.');
  return { file, isLines, columns: columns.some((name) => name.startsWith('inputs.')) ? null : columns };
}

/** A guess from the name of a column. */
export function guessUse(name: string): ColumnUse {
  if (/answer|output|expected|reference|label|target/i.test(name)) return 'outputs';
  if (/^(?:id|created_at|modified_at|source_run_id|metadata|split)$/i.test(name)) return 'ignore';
  return 'inputs';
}

/** The cells of the first record of a CSV text. */
export function firstRecord(text: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at]!;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += char;
        at += 1;
      } else isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === ',') {
      cells.push(cell);
      cell = '';
    } else if (char === '\n' || char === '\r') break;
    else cell += char;
  }
  return [...cells, cell];
}
