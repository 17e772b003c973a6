import { fail } from '../base/errors.js';
import { parseLevels } from '../base/log/levels.js';
import type { LogOptions } from '../base/log/log.js';
import { envText } from './values.js';

/**
 * Reads LOG_LEVEL, LOG_JSON and LOG_COLOR. `terminal`: whether stderr is a terminal. Throws CONFIG_INVALID,
 * which names the variable.
 */
export function readLog(env: NodeJS.ProcessEnv, terminal = process.stderr.isTTY): LogOptions {
  const levels = parseLevels(envText(env, 'LOG_LEVEL') ?? '', (problem) =>
    fail('CONFIG_INVALID', { file: 'LOG_LEVEL', problem }),
  );
  const json = parseBoolean('LOG_JSON', env['LOG_JSON']) ?? !terminal;
  // https://no-color.org: any value counts.
  const color = parseBoolean('LOG_COLOR', env['LOG_COLOR']) ?? (terminal && (env['NO_COLOR'] ?? '') === '');
  return { levels, pretty: json ? null : { color } };
}

/** Null when the variable is unset or empty. */
function parseBoolean(name: string, text = ''): boolean | null {
  if (text === '') return null;
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  if (/^(false|0|no|off)$/i.test(text)) return false;
  throw fail('CONFIG_INVALID', { file: name, problem: `must be true or false; got "${text}".` });
}
