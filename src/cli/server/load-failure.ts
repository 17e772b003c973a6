import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildErrors } from '../../base/build-errors.js';
import { ThreadmillError } from '../../base/errors.js';
import { PROGRAM_FOLDER } from '../../base/program-files.js';

/** `line` and `column` count from 1. */
interface Place {
  file: string;
  line: number;
  column: number;
}

/** Lines before and after the one with the error. */
const CONTEXT_LINES = 2;
/** Longer lines are of generated files. */
const LINE_CHARS_MAX = 160;
/** Errors of one build that are shown with their code. */
const PLACES_MAX = 3;

const LOAD_FAILURES: ReadonlySet<string> = new Set([
  'GRAPH_LOAD_FAILED',
  'AUTH_LOAD_FAILED',
  'APP_LOAD_FAILED',
  'EMBED_LOAD_FAILED',
  'EVALUATOR_LOAD_FAILED',
  'HIDE_FUNCTION_LOAD_FAILED',
]);

/**
 * Message of an error at the start or at a reload. When code of the project does not load, the code at the place of the
 * error and the stack follow, without frames of the server. `configFile` is the langgraph.json.
 */
export function errorText(error: unknown, configFile: string | null): string {
  // Messages of the system name the file and the reason.
  if (error instanceof Error && 'syscall' in error) return error.message;
  if (!(error instanceof ThreadmillError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (!LOAD_FAILURES.has(error.code)) return error.message;
  const built = buildPlaces(error.cause, configFile);
  const frames = built === null ? projectFrames(error) : [];
  // An error inside a package is shown where the project calls it.
  const frame = frames.find((one) => !one.includes('/node_modules/')) ?? frames[0] ?? '';
  const places = built ?? [placeOf(frame) ?? []].flat();
  const shown = places.length > 0 ? places : configPlace(error, configFile);
  return [error.message, ...shown.slice(0, PLACES_MAX).flatMap((place) => codeFrame(place) ?? []), frames.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Places of an esbuild failure; null for other errors. Its files are relative to the folder of the project. */
function buildPlaces(cause: unknown, configFile: string | null): Place[] | null {
  const errors = cause === undefined || cause === null ? null : buildErrors(cause);
  if (errors === null) return null;
  const root = configFile === null ? process.cwd() : dirname(configFile);
  return errors.flatMap(({ location }) =>
    location === null ? [] : [{ file: resolve(root, location.file), line: location.line, column: location.column + 1 }],
  );
}

/** Frames of the stack that are not of the server or of Node. */
function projectFrames({ message, stack = '' }: ThreadmillError): string[] {
  const internal = [join(PROGRAM_FOLDER, 'dist'), join(PROGRAM_FOLDER, 'node_modules', 'piscina')];
  return stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .filter(
      (line) =>
        !/\(?(node|threadmill):|<anonymous>\)?$/.test(line) && !internal.some((folder) => line.includes(`${folder}/`)),
    );
}

function placeOf(frame: string): Place | null {
  const [, path, line, column] = /\(?((?:file:\/\/)?\/[^()]*):(\d+):(\d+)\)?$/.exec(frame) ?? [];
  if (path === undefined) return null;
  return {
    file: path.startsWith('file:') ? fileURLToPath(path) : path,
    line: Number(line),
    column: Number(column),
  };
}

/** Where the configuration names the graph: for graphs that load, but lack the export or are no graph. */
function configPlace({ params }: ThreadmillError, configFile: string | null): Place[] {
  const graphId = params['graphId'];
  if (configFile === null || typeof graphId !== 'string') return [];
  const lines = readLines(configFile);
  const name = JSON.stringify(graphId);
  const at = lines?.findIndex((line) => line.includes(`${name}:`) || line.includes(`${name} :`)) ?? -1;
  return at < 0 ? [] : [{ file: configFile, line: at + 1, column: lines![at]!.indexOf(name) + 1 }];
}

/** The lines around a place, with a mark below its column. Null when the file cannot be read. */
function codeFrame({ file, line, column }: Place): string | null {
  const lines = readLines(file);
  if (lines === null || line > lines.length) return null;
  const first = Math.max(1, line - CONTEXT_LINES);
  const last = Math.min(lines.length, line + CONTEXT_LINES);
  const width = String(last).length;
  const text: string[] = [`${file}:${line}:${column}`];
  for (let number = first; number <= last; number += 1) {
    const code = lines[number - 1]!.slice(0, LINE_CHARS_MAX).replaceAll('\t', ' ');
    text.push(`${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${code}`.trimEnd());
    if (number === line && column <= LINE_CHARS_MAX) text.push(`  ${' '.repeat(width)} | ${' '.repeat(column - 1)}^`);
  }
  return text.join('\n');
}

function readLines(file: string): string[] | null {
  try {
    return readFileSync(file, 'utf8').replace(/\n$/, '').split('\n');
  } catch {
    return null;
  }
}
