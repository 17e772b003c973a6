import { pino, stdSerializers, type Logger } from 'pino';
import { LIMITS } from '../limits.js';
import type { LogLevels, LogModule } from './levels.js';
import { withoutSecrets } from './secrets.js';
import { errorOutput, type Output } from '../output.js';
import { boundedText, describeThrown } from '../thrown.js';

export type { Logger } from 'pino';

export interface LogOptions {
  levels: LogLevels;
  /** Lines for people, coloured or not, in the place of JSON. */
  pretty: { color: boolean } | null;
}

/** The two lines of every day: what goes into them was looked at there, and looking at all of a line again takes half as long as writing it. */
const OURS = ['"msg":"request"}\n', '"msg":"run"}\n'];

/** Where modules get their loggers. JSON lines on stderr, so that stdout carries only what a command was asked to print. */
export class Log {
  readonly #root: Logger;
  readonly #levels: LogLevels;
  readonly #output: Output;
  readonly #loggers = new Map<LogModule, Logger>();

  private constructor(levels: LogLevels, shown: (line: string) => string) {
    this.#levels = levels;
    this.#output = errorOutput();
    this.#output.onRecovered = (lines) =>
      this.of('server').warn({ lines }, 'log lines were lost: stderr could not be written');
    this.#root = pino(
      { level: levels.base, base: null, serializers: { err: told } },
      {
        write: (line) =>
          this.#output.write(shown(OURS.some((end) => line.endsWith(end)) ? line : withoutSecrets(line))),
      },
    );
  }

  static async open({ levels, pretty }: LogOptions): Promise<Log> {
    return new Log(levels, pretty === null ? (line) => line : await forPeople(pretty.color));
  }

  of(module: LogModule): Logger {
    let logger = this.#loggers.get(module);
    if (logger === undefined)
      this.#loggers.set(
        module,
        (logger = this.#root.child({ module }, { level: this.#levels.modules.get(module) ?? this.#levels.base })),
      );
    return logger;
  }

  /** Waits until the last lines are written. Lines that nobody takes for a while are left to the end of the process, which drops them. */
  async flush(): Promise<void> {
    await this.#output.drained(LIMITS.logQuietMs, LIMITS.logLastMs);
  }
}

/** A logger that writes nothing. */
export function silentLog(): Logger {
  return pino({ level: 'silent' });
}

/** Type, text, code, stack and causes of an error, bounded. Its other fields stay out: an HTTP client's error has the whole request. */
function told(error: unknown): unknown {
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
    // Reading it throws.
    const { name, message, stack } = describeThrown(error);
    return { type: name, message, stack };
  }
}

/** Loaded only where it is needed: it takes longer than all the rest of the log. */
async function forPeople(color: boolean): Promise<(line: string) => string> {
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
