/**
 * Work that may be put aside between any two of its steps: it yields wherever others can have their turn. What is read
 * ahead of a yield may be out of date after it; `turnsPassed` tells whether it can be.
 */
export type Steps<T> = Generator<void, T, void>;

/** Does the work without a pause: only for what is known to be little, or where nobody waits. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Work that is done already. */
// oxlint-disable-next-line require-yield
export function* done<T>(value: T): Steps<T> {
  return value;
}

let passed = 0;

/** How often work of this thread has been put aside so far. */
export function turnsPassed(): number {
  return passed;
}

/** Said by whoever puts work aside (services/time-slicer.ts). */
export function passTurn(): void {
  passed += 1;
}
