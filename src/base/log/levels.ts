/** Modules that write log lines; every line names its module in `module`. */
export const LOG_MODULES = [
  'app',
  'auth',
  'cluster',
  'crons',
  'evaluation',
  'graphs',
  'http',
  'memory',
  'runs',
  'server',
  'store',
  'threads',
  'tracing',
  'webhooks',
  'workers',
] as const;
export type LogModule = (typeof LOG_MODULES)[number];

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LEVELS)[number];
/** Names that Python uses. */
const ALIASES: Readonly<Record<string, LogLevel>> = { warning: 'warn', critical: 'fatal' };

export interface LogLevels {
  /** For modules without a level of their own. */
  base: LogLevel;
  modules: ReadonlyMap<LogModule, LogLevel>;
}

/**
 * Parses `info,http=warn,store=debug` in any order and case. The base level defaults to `info`. Throws the error that
 * `problem` returns.
 */
export function parseLevels(text: string, problem: (text: string) => Error): LogLevels {
  let base: LogLevel | null = null;
  const modules = new Map<LogModule, LogLevel>();
  for (const part of text
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')) {
    const [name, said, more] = part.split('=').map((one) => one.trim()) as [string, string?, string?];
    const level = levelOf(said ?? name);
    if (level === null || more !== undefined)
      throw problem(
        `must be one of ${LEVELS.join(', ')}, or levels by module such as "info,http=warn"; got "${part}".`,
      );
    if (said === undefined) {
      if (base !== null) throw problem(`has two base levels, ${base} and ${level}.`);
      base = level;
      continue;
    }
    const module = LOG_MODULES.find((one) => one === name);
    if (module === undefined)
      throw problem(`has an unknown module "${name}"; the modules are ${LOG_MODULES.join(', ')}.`);
    if (modules.has(module)) throw problem(`has the module "${name}" twice.`);
    modules.set(module, level);
  }
  return { base: base ?? 'info', modules };
}

function levelOf(text: string): LogLevel | null {
  return LEVELS.find((level) => level === text) ?? (Object.hasOwn(ALIASES, text) ? ALIASES[text]! : null);
}
