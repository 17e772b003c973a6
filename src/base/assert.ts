/** An invariant of the server's own code was violated. For errors of callers use `fail` (base/errors.ts). */
export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed';
}

export function assert(condition: unknown, promise: string): asserts condition {
  if (!condition) throw new AssertionFailed(promise);
}

/** For the `default` of an exhaustive switch over a union. */
export function unreachable(value: never): never {
  throw new AssertionFailed(`unexpected value ${JSON.stringify(value)}`);
}
