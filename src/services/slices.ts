import { LIMITS } from '../base/limits.js';

/** Works through many, a few milliseconds at a time, so that others are answered in between. Ends early when `work` says false. */
export async function inSlices<T>(all: Iterable<T>, work: (one: T) => boolean | void): Promise<void> {
  let until = performance.now() + LIMITS.sliceMs;
  for (const one of all) {
    if (work(one) === false) return;
    if (performance.now() < until) continue;
    await new Promise((resolve) => { setImmediate(resolve); });
    until = performance.now() + LIMITS.sliceMs;
  }
}
