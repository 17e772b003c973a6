import { createRequire } from 'node:module';

/** What the tests need of React, which has no types here. */
interface React {
  createElement(component: () => null): object;
}
interface Renderer {
  create(element: object): { unmount(): void };
}
const require = createRequire(import.meta.url);
const { createElement } = require('react') as React;
// Without a page: it is all that a hook needs.
const { create } = require('react-test-renderer') as Renderer;

export interface Mounted<T> {
  now(): T;
  /** Resolves with the first rendering that is as wanted. */
  until(wanted: (value: T) => boolean): Promise<T>;
  unmount(): void;
}

/** A component that uses a hook, until the test has ended. */
export function mountHook<T>(t: { teardown(callback: () => unknown): void }, hook: () => T): Mounted<T> {
  let last: T | null = null;
  const waiting = new Set<() => void>();
  const made = create(
    createElement(() => {
      last = hook();
      // Not in the middle of a rendering.
      queueMicrotask(() => {
        for (const look of waiting) look();
      });
      return null;
    }),
  );
  t.teardown(() => made.unmount());
  return {
    now: () => last!,
    until: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (last === null || !wanted(last)) return;
          waiting.delete(look);
          resolve(last);
        };
        waiting.add(look);
        look();
      }),
    unmount: () => made.unmount(),
  };
}
