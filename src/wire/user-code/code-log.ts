import type { MessagePort } from 'node:worker_threads';
import { describeThrown } from '../../base/thrown.js';

/**
 * The logger that `getLogger()` of @langchain/langgraph-sdk returns in graphs, handlers and apps. Its lines go to the
 * server's log.
 */

/** Levels of the SDK's logger, and ours. */
const LEVELS = {
  error: 'error',
  warn: 'warn',
  help: 'info',
  data: 'info',
  info: 'info',
  prompt: 'info',
  http: 'info',
  input: 'info',
  debug: 'debug',
  verbose: 'debug',
  silly: 'trace',
} as const;

export type CodeLogLevel = (typeof LEVELS)[keyof typeof LEVELS];

/** The run whose code is executing. */
export interface CodeContext {
  runId?: string;
  threadId?: string;
}

/** A line of the project's code. */
export interface CodeLogLine extends CodeContext {
  level: CodeLogLevel;
  message: string;
  /** JSON of what was logged besides the message. */
  data: string | null;
  /** Lines that were dropped before this one, because there were too many. */
  dropped: number;
}

const LINE_CHARS_MAX = 8_192;
/** More lines of one thread in one second are dropped: a loop must not fill the server's memory. */
const LINES_PER_SECOND_MAX = 1_000;

type Log = (...given: unknown[]) => Record<string, Log>;

/** Logs an error of the project's code. */
export type LogError = (message: string, error: unknown) => void;

/**
 * Call it before user modules are loaded, because they may ask for the logger during import. Returns a function that
 * logs errors to the same place.
 */
export function exposeLoggerToSdk(port: MessagePort, contextOf: () => CodeContext = () => ({})): LogError {
  let second = 0;
  let lines = 0;
  let dropped = 0;
  const send = (level: CodeLogLevel, given: readonly unknown[]): void => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, lines] = [now, 0];
    if (lines >= LINES_PER_SECOND_MAX) {
      dropped += 1;
      return;
    }
    lines += 1;
    const line: CodeLogLine = { level, ...lineOf(given), dropped, ...contextOf() };
    dropped = 0;
    port.postMessage(line);
  };
  const logger: Record<string, Log> = {};
  for (const [name, level] of Object.entries(LEVELS))
    logger[name] = (...given) => {
      send(level, given);
      return logger;
    };
  Object.defineProperty(globalThis, Symbol.for('langgraph.api.sdk-logger'), { configurable: true, value: logger });
  return (message, error) => send('error', [message, error]);
}

/** `info('text', data)`, `info(error)` or `info({ message, ...data })`. */
function lineOf([first, ...rest]: readonly unknown[]): Pick<CodeLogLine, 'message' | 'data'> {
  if (typeof first === 'object' && first !== null && !(first instanceof Error)) {
    const { message, ...data } = first as Record<string, unknown>;
    return lineOf([
      typeof message === 'string' ? message : '',
      ...(Object.keys(data).length > 0 ? [data] : []),
      ...rest,
    ]);
  }
  const { message, stack } = first instanceof Error ? describeThrown(first) : { message: textOf(first), stack: null };
  const data = rest.map((one) => (one instanceof Error ? describeThrown(one) : one));
  if (stack !== null) data.unshift({ stack });
  return {
    message: message.slice(0, LINE_CHARS_MAX),
    data: data.length === 0 ? null : jsonOf(data.length === 1 ? data[0] : data).slice(0, LINE_CHARS_MAX),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value);
}

/** Logging never throws, whatever it is given. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return '(cannot be written as JSON)';
  }
}
