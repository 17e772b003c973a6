import type { Steps } from '../base/steps.js';
import type { Services } from './context.js';

/** Works through many, a little at a time, so that others are answered in between (turns.ts). Ends early when `work` says false. */
export function inSlices<T>({ turns }: Services, all: Iterable<T>, work: (one: T) => boolean | void): Promise<void> {
  return turns.run(each(all, work), () => false);
}

function* each<T>(all: Iterable<T>, work: (one: T) => boolean | void): Steps<void> {
  for (const one of all) {
    if (work(one) === false) return;
    yield;
  }
}
