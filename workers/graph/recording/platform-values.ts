import crypto, { webcrypto } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { unpackId } from '../../../src/base/packed-ids.js';
import { runScope } from './run-scope.js';

/** Longer random values are keys and tokens rather than ids. They are never recorded. */
const ID_BYTES_MAX = 16;

/**
 * Lets the scope of a run decide what its code sees of the clock and of random values. Code outside of runs, and runs
 * without a scope, get what the platform gives. Call it once, before user code is loaded.
 */
export function interceptPlatformValues(): void {
  interceptDate();
  interceptRandom();
  interceptIds();
  syncBuiltinESMExports();
}

function interceptDate(): void {
  const Original = Date;
  const realNow = Date.now;
  const now = (): number => {
    const real = realNow();
    return runScope.getStore()?.time(real) ?? real;
  };
  // Both share one prototype, so every date is an instance of both.
  const RunDate = function Date(this: unknown, ...args: unknown[]): unknown {
    if (new.target === undefined) return new Original(now()).toString();
    return Reflect.construct(Original, args.length === 0 ? [now()] : args, new.target);
  } as unknown as DateConstructor;
  Object.defineProperties(RunDate, {
    ...Object.getOwnPropertyDescriptors(Original),
    now: { value: now, writable: true, configurable: true, enumerable: false },
  });
  Object.defineProperty(Original.prototype, 'constructor', { value: RunDate, writable: true, configurable: true });
  globalThis.Date = RunDate;
}

function interceptRandom(): void {
  const original = Math.random;
  Math.random = function random(): number {
    const real = original();
    return runScope.getStore()?.random(real) ?? real;
  };
}

function interceptIds(): void {
  const replace = (bytes: Uint8Array): void => {
    const scope = bytes.byteLength <= ID_BYTES_MAX ? runScope.getStore() : undefined;
    if (scope !== undefined) bytes.set(scope.idBytes(bytes));
  };
  const webPrototype = Object.getPrototypeOf(webcrypto) as typeof webcrypto;
  const { getRandomValues } = webPrototype;
  define(webPrototype, 'getRandomValues', function fill<
    T extends ArrayBufferView | null,
  >(this: typeof webcrypto, array: T): T {
    const filled = getRandomValues.call(this, array as never) as unknown as T;
    if (filled !== null) replace(new Uint8Array(filled.buffer, filled.byteOffset, filled.byteLength));
    return filled;
  });
  const { randomUUID, randomBytes, randomFillSync } = crypto;
  const uuid = (): string => {
    const real = randomUUID();
    const scope = runScope.getStore();
    return scope === undefined ? real : unpackId(scope.idBytes(bytesOf(real)));
  };
  define(crypto, 'randomUUID', uuid);
  define(webPrototype, 'randomUUID', uuid);
  define(crypto, 'randomBytes', function bytes(size: number, callback?: (error: Error | null, bytes: Buffer) => void) {
    if (callback !== undefined) return randomBytes(size, callback);
    const filled = randomBytes(size);
    replace(filled);
    return filled;
  });
  define(crypto, 'randomFillSync', function fillSync(array: NodeJS.ArrayBufferView, ...range: number[]) {
    const filled = randomFillSync(array, ...range);
    if (range.length === 0) replace(new Uint8Array(filled.buffer, filled.byteOffset, filled.byteLength));
    return filled;
  });
}

function define(target: object, name: string, value: unknown): void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { configurable: true, enumerable: true, writable: true, ...before, value });
}

function bytesOf(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
