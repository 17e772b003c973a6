import { pino, stdSerializers, type Logger } from 'pino';
import { LIMITS } from '../limits.js';
import type { LogLevels, LogModule } from './levels.js';
import { withoutSecrets } from './secrets.js';
import { errorOutput, type Output } from '../output.js';
import { boundedText, describeThrown } from '../thrown.js';

export type { Logger } from 'pino';

export interface LogOptions {
  levels: LogLevels;
  /** Human-readable lines, colored or not, instead of JSON. */
  pretty: { color: boolean } | null;
}

/**
 * Ends of the two most frequent lines. Their content is redacted where it is logged; scanning the whole line
 * again would take half as long as writing it.
 */
const REDACTED_LINE_ENDS = ['"msg":"request"}\n', '"msg":"run"}\n'];

/** Creates the loggers of modules. Writes JSON lines to stderr, so that stdout carries only the output of commands. */
export class Log {
  readonly #root: Logger;
  readonly #levels: LogLevels;
  readonly #output: Output;
  readonly #loggers = new Map<LogModule, Logger>();

  private constructor(levels: LogLevels, shown: (line: string) => string) {
    this.#levels = levels;
    this.#output = errorOutput();
    this.#output.onRecovered = (lines) =>
      this.forModule('server').warn({ lines }, 'log lines were lost: stderr could not be written');
    this.#root = pino(
      { level: levels.base, base: null, serializers: { err: serializeError } },
      {
        write: (line) =>
          this.#output.write(shown(REDACTED_LINE_ENDS.some((end) => line.endsWith(end)) ? line : withoutSecrets(line))),
      },
    );
  }

  static async open({ levels, pretty }: LogOptions): Promise<Log> {
    return new Log(levels, pretty === null ? (line) => line : await prettyFormatter(pretty.color));
  }

  forModule(module: LogModule): Logger {
    let logger = this.#loggers.get(module);
    if (logger === undefined)
      this.#loggers.set(
        module,
        (logger = this.#root.child({ module }, { level: this.#levels.modules.get(module) ?? this.#levels.base })),
      );
    return logger;
  }

  /**
   * Waits until the last lines are written. Lines that nobody reads for some time are dropped at the end of the
   * process.
   */
  async flush(): Promise<void> {
    await this.#output.drained(LIMITS.logStalledMs, LIMITS.logFlushMsMax);
  }
}

/** A logger that writes nothing. */
export function silentLog(): Logger {
  return pino({ level: 'silent' });
}

/**
 * Type, message, code, stack and causes of an error, shortened. Other fields are omitted: HTTP clients' errors
 * contain the request.
 */
function serializeError(error: unknown): unknown {
  try {
    if (!(error instanceof Error)) return error;
    const { type, message, stack } = stdSerializers.err(error);
    const { code } = error as { code?: unknown };
    return {
      type,
      message: boundedText(message, LIMITS.errorTextCharsMax),
      ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
      stack: boundedText(stack, LIMITS.errorStackCharsMax),
    };
  } catch {
    // Reading the error throws.
    const { name, message, stack } = describeThrown(error);
    return { type: name, message, stack };
  }
}

/** Loaded only on demand, because loading takes longer than everything else here. */
async function prettyFormatter(color: boolean): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty');
  const shown = prettyFactory({
    colorize: color,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'module',
    messageFormat: '{module}: {msg}',
    singleLine: true,
  });
  return (line) => shown(line) ?? line;
}
