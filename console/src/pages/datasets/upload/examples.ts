import { parseJson } from '../../../api/json.js';
import type { ExampleContent } from '../../../api/evaluation.js';

/** What a column of a file becomes. */
export type ColumnUse = (typeof COLUMN_USES)[number]['id'];
export type ExamplePart = Exclude<ColumnUse, 'ignore'>;

export const COLUMN_USES = [
  { id: 'inputs', name: 'Inputs' },
  { id: 'outputs', name: 'Reference outputs' },
  { id: 'metadata', name: 'Metadata' },
  { id: 'ignore', name: 'Ignore' },
] as const;

export const PARTS = ['inputs', 'outputs', 'metadata'] as const;

/** How rows become examples. */
export interface Mapping {
  /** Null: each row has `inputs` and `outputs` itself. */
  uses: Readonly<Record<string, ColumnUse>> | null;
  /** Numbers, lists and objects in the cells of a CSV file are JSON, and empty cells are left out. */
  readsCells: boolean;
}

export type ExampleDraft = Partial<Pick<ExampleContent, ExamplePart>>;

/** Guesses from the names of the columns what each is. */
export function guessUses(columns: readonly string[]): Record<string, ColumnUse> {
  const isExport = hasExportedColumns(columns);
  return Object.fromEntries(columns.map((name) => [name, prefixOf(name) ?? (isExport ? 'ignore' : guessUse(name))]));
}

/** Whether the columns are those of an export, such as `inputs.question`. */
export function hasExportedColumns(columns: readonly string[]): boolean {
  return columns.some((name) => prefixOf(name) === 'inputs');
}

const OUTPUTS = /answer|output|expected|reference|label|target|ground.?truth|completion|response/i;
const METADATA = /^(?:meta.*|tags?)$/i;
const IGNORED = /^(?:id|created_at|modified_at|source_run_id|split)$/i;

function guessUse(name: string): ColumnUse {
  if (OUTPUTS.test(name)) return 'outputs';
  if (METADATA.test(name)) return 'metadata';
  return IGNORED.test(name) ? 'ignore' : 'inputs';
}

function prefixOf(name: string): ExamplePart | null {
  return PARTS.find((part) => name.startsWith(`${part}.`) && name.length > part.length + 1) ?? null;
}

/** The example that a row becomes, or why it becomes none. */
export function exampleOf(
  row: Readonly<Record<string, unknown>>,
  { uses, readsCells }: Mapping,
): { example: ExampleDraft } | { reason: string } {
  if (uses === null)
    return isObject(row['inputs']) ? { example: row } : { reason: '“inputs” is missing or not an object.' };
  const members: Record<ExamplePart, [string, unknown][]> = { inputs: [], outputs: [], metadata: [] };
  for (const [name, cell] of Object.entries(row)) {
    const use = uses[name] ?? 'ignore';
    if (use === 'ignore') continue;
    const value = readsCells && typeof cell === 'string' ? valueOfCell(cell) : cell;
    if (name === use && isObject(value)) members[use].push(...Object.entries(value));
    else if (value !== undefined)
      members[use].push([prefixOf(name) === use ? name.slice(use.length + 1) : name, value]);
  }
  if (members.inputs.length === 0) return { reason: 'The row has no inputs.' };
  return {
    example: Object.fromEntries(
      PARTS.filter((part) => members[part].length > 0).map((part) => [part, Object.fromEntries(members[part])]),
    ),
  };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An apostrophe that an export puts before text that a spreadsheet would run. */
const ESCAPED_FORMULA = /^'(?=[=+\-@\t\r])/;
const JSON_CELL = /^(?:[[{]|-?\d|true$|false$)/;

/** As the server reads the cells of an export. Undefined for an empty one. */
function valueOfCell(cell: string): unknown {
  const text = cell.replace(ESCAPED_FORMULA, '');
  if (text === '') return undefined;
  if (!JSON_CELL.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
