/**
 * Resumable work: a generator that yields wherever other work can run. Data read before a yield may be out of
 * date after it; compare `turnsPassed` to find out whether other work ran.
 */
export type Steps<T> = Generator<void, T, void>;

/** Runs the work without pause: only for short work, or where nothing else waits. */
export function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Work that is already done. */
// oxlint-disable-next-line require-yield
export function* done<T>(value: T): Steps<T> {
  return value;
}

let passed = 0;

/** How often work of this thread has been paused so far. */
export function turnsPassed(): number {
  return passed;
}

/** Counts a pause. Called by the time slicer (services/time-slicer.ts). */
export function countTurn(): void {
  passed += 1;
}
