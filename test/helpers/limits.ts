import { LIMITS } from '../../src/base/limits.js';

/** Limits that are numbers. */
type Limit = {
  [Name in keyof typeof LIMITS]: (typeof LIMITS)[Name] extends number ? Name : never;
}[keyof typeof LIMITS];

/**
 * Lowers a limit of this thread until the test ends, where reaching the real one takes seconds of CPU. What the limit
 * is belongs to `src/base/limits.ts`; the test shows what happens at it.
 */
export function lowerLimit(t: { teardown(callback: () => unknown): void }, name: Limit, value: number): void {
  const before = LIMITS[name];
  if (value >= before) throw new Error(`${name} is ${before}, which is not more than ${value}`);
  Object.assign(LIMITS, { [name]: value });
  t.teardown(() => Object.assign(LIMITS, { [name]: before }));
}
