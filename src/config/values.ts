import { fail } from '../base/errors.js';
import { VARIABLES } from './env.js';

/** Null when the variable is unset or empty. */
export function envText(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name] ?? '';
  return text === '' ? null : text;
}

/**
 * Reads a bounded whole number from the table; null when it is unset. Throws CONFIG_INVALID, which names the
 * variable.
 */
export function envInteger(env: NodeJS.ProcessEnv, name: string): number | null {
  const text = envText(env, name);
  return text === null ? null : parseInteger(name, text, boundsOf(name));
}

/** Bounds of a variable, also used for the flag that overrides it. */
export function boundsOf(name: string): readonly [min: number, max: number] {
  const allowed = VARIABLES.find(({ names }) => names.includes(name))!.allowed;
  if (!Array.isArray(allowed)) throw new Error(`${name} has no bounds in the table`);
  return allowed as unknown as readonly [number, number];
}

/** Throws CONFIG_INVALID, which names the flag or variable, its value and the bounds. */
export function parseInteger(name: string, text: string, [min, max]: readonly [number, number]): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw fail('CONFIG_INVALID', {
      file: name,
      problem: `must be a whole number from ${min} to ${max}; got "${text}".`,
    });
  }
  return value;
}

/** Reads a variable in seconds and returns milliseconds. Throws CONFIG_INVALID, which names the variable. */
export function envSecondsAsMs(env: NodeJS.ProcessEnv, name: string, otherwiseMs: number): number {
  const text = envText(env, name);
  if (text === null) return otherwiseMs;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw fail('CONFIG_INVALID', { file: name, problem: `must be a number of seconds above 0; got "${text}".` });
  return value * 1_000;
}
