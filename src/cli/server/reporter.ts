import type { Logger } from '../../base/log/log.js';

/** Writes what a serving command has to say to stderr. */
export interface Reporter {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

/**
 * Lines of the log where it is JSON, because a program reads stderr then; plain text for people. `log` is null before
 * the server is open.
 */
export function createReporter(log: Logger | null): Reporter {
  if (log !== null)
    return { info: (text) => log.info(text), warn: (text) => log.warn(text), error: (text) => log.error(text) };
  const write = (text: string): void => void process.stderr.write(`${text}\n`);
  return { info: write, warn: write, error: write };
}
