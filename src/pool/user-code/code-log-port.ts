import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Logger } from '../../base/log/log.js';
import { asObject } from '../../base/json/json.js';
import type { CodeLogLine } from '../../wire/user-code/code-log.js';

const LEVELS: readonly unknown[] = ['error', 'warn', 'info', 'debug', 'trace'] satisfies CodeLogLine['level'][];

/** Opens a channel for the log lines of a thread's user code. Returns the end for the thread. */
export function openCodeLog(log: Logger): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (line: unknown) => write(log, line));
  port1.unref();
  return port2;
}

/** User code can send anything. */
function write(log: Logger, line: unknown): void {
  const { level, message, data, runId, threadId, dropped } = asObject(line);
  if (!LEVELS.includes(level) || typeof message !== 'string') return;
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  if (typeof dropped === 'number' && dropped > 0)
    log.warn({ lines: dropped }, "log lines of the project's code were dropped");
  log[level as CodeLogLine['level']]({ runId: text(runId), threadId: text(threadId), data: text(data) }, message);
}
