import { fail } from '../base/errors.js';
import { readLevels } from '../base/log/levels.js';
import type { LogOptions } from '../base/log/log.js';
import { given } from './values.js';

/** LOG_LEVEL, LOG_JSON, LOG_COLOR. `terminal`: stderr is one. Throws CONFIG_INVALID naming the variable. */
export function readLog(env: NodeJS.ProcessEnv, terminal = process.stderr.isTTY): LogOptions {
  const levels = readLevels(given(env, 'LOG_LEVEL') ?? '', (problem) =>
    fail('CONFIG_INVALID', { file: 'LOG_LEVEL', problem }),
  );
  const json = yesOrNo('LOG_JSON', env['LOG_JSON']) ?? !terminal;
  // https://no-color.org: set to anything.
  const color = yesOrNo('LOG_COLOR', env['LOG_COLOR']) ?? (terminal && (env['NO_COLOR'] ?? '') === '');
  return { levels, pretty: json ? null : { color } };
}

/** Null when it is not set, or empty. */
function yesOrNo(name: string, text = ''): boolean | null {
  if (text === '') return null;
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  if (/^(false|0|no|off)$/i.test(text)) return false;
  throw fail('CONFIG_INVALID', { file: name, problem: `must be true or false; got "${text}".` });
}
