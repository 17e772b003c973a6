import { fail } from '../base/errors.js';
import { OPTIMIZATIONS, type Optimization } from '../domain/optimizations.js';

const VARIABLE = 'THREADMILL_DISABLED_OPTIMIZATIONS';

/** The optimizations that THREADMILL_DISABLED_OPTIMIZATIONS leaves. Throws CONFIG_INVALID. */
export function readOptimizations(env: NodeJS.ProcessEnv): readonly Optimization[] {
  const disabled = (env[VARIABLE] ?? '').split(',').map((name) => name.trim());
  const unknown = disabled.find((name) => !['', 'all', ...OPTIMIZATIONS].includes(name));
  if (unknown !== undefined) {
    const problem = `must be all or a list of ${OPTIMIZATIONS.join(', ')}, not "${unknown}".`;
    throw fail('CONFIG_INVALID', { file: VARIABLE, problem });
  }
  return disabled.includes('all') ? [] : OPTIMIZATIONS.filter((name) => !disabled.includes(name));
}
