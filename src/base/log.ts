import { pino, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Header and field names whose values never reach a log line. */
const SECRET_PATHS = ['headers["x-api-key"]', 'headers.authorization', 'headers.cookie', '*.headers["x-api-key"]', '*.headers.authorization', '*.headers.cookie'];

/** The root logger: JSON lines on stderr, so that stdout carries only what a command was asked to print. */
export function openLog(level: string): Logger {
  return pino({ level, base: null, redact: { paths: SECRET_PATHS, censor: '[redacted]' } }, pino.destination({ dest: 2, sync: false }));
}
