import { Histogram, HISTOGRAM_BOUNDS } from '../../base/histogram.js';

/**
 * How a forwarded request ended: `no_owner`: 503, it had no effect; `unknown`: 502, its effect is not known; `aborted`:
 * the client disconnected.
 */
export type ForwardOutcome = 'answered' | 'no_owner' | 'unknown' | 'aborted';

/** Counts of the requests that a node has passed on. WebSockets are not counted. */
export class ForwardStats {
  readonly byOutcome: Record<ForwardOutcome, number> = { answered: 0, no_owner: 0, unknown: 0, aborted: 0 };
  /** Until the response was complete, of the answered ones. */
  readonly seconds = new Histogram(HISTOGRAM_BOUNDS.request);

  count(outcome: ForwardOutcome, ms: number): void {
    this.byOutcome[outcome] += 1;
    if (outcome === 'answered') this.seconds.observe(ms / 1_000);
  }
}
