import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log/log.js';
import { jsonFrame, singleFrame, type FrameBatch } from '../../wire/runs/frame.js';
import type { FeedbackUrls, RunFeedbackUrls } from '../evaluation/feedback-urls.js';
import { rootEndEvent, usesProtocolEvents } from '../protocol/root-events.js';
import type { ThreadEvents } from '../threads/thread-events.js';
import type { LiveRun, Outcome } from './live.js';
import { storeRunEnd, type RunEndStores } from './run-end.js';
import type { EventFactory, RunEvents } from './run-events.js';

export interface RunEnderOptions extends RunEndStores {
  threadEvents: ThreadEvents;
  feedback: FeedbackUrls;
  events: RunEvents;
  clock: Clock;
  log: Logger;
}

export interface EndOptions {
  /** Undoes everything that the run wrote, and removes the run. */
  rollback?: boolean;
  /** The worker has already sent the `error` event. */
  errorAlreadySent?: boolean;
}

/** Ends a run: stores its end, then publishes the last events. */
export class RunEnder {
  readonly #options: RunEnderOptions;

  constructor(options: RunEnderOptions) {
    this.#options = options;
  }

  /** Resolves when the end is on disk and the last events are published. Rejects when the store has failed. */
  async end(run: LiveRun, outcome: Outcome, { rollback = false, errorAlreadySent = false }: EndOptions): Promise<void> {
    const { threadEvents, events, clock } = this.#options;
    const nowMs = clock.nowMs();
    const failed = outcome.error !== null && outcome.status !== 'interrupted';
    // Without a commit, nothing else waits for the events that are held back.
    if (run.alive === null) await run.eventsPublished;
    const addresses = outcome.status === 'success' ? await this.#createAddresses(run) : null;
    const factory = lastEvent(run, outcome, nowMs, {
      addresses: addresses?.json ?? null,
      sendsError: failed && !errorAlreadySent,
    });
    const { questions = null } = outcome;
    if (questions !== null) events.receiveLast(run, questions);
    const last: FrameBatch | null = factory === null ? null : events.createLast(run, factory);
    const lastEvents = [questions, last].filter((batch) => batch !== null);
    const reserved = threadEvents.reserveEnd(run);
    await storeRunEnd(this.#options, run, { outcome, nowMs, rollback, addresses, lastEvents });
    if (failed) run.log.failure = outcome.error;
    if (addresses !== null) run.feedback = addresses.json;
    await run.eventsPublished;
    for (const batch of lastEvents) events.publishLast(run, batch);
    if (reserved !== null) threadEvents.publishRunEnd(run, reserved, rollback ? 'rollback' : outcome.status);
  }

  /** The run ends even if its addresses for feedback cannot be created. */
  async #createAddresses(run: LiveRun): Promise<RunFeedbackUrls | null> {
    const { feedback, log } = this.#options;
    try {
      return await feedback.createForRun(run);
    } catch (error) {
      log.error({ err: error, runId: run.record.runId }, 'the addresses for feedback of a run could not be made');
      return null;
    }
  }
}

/** The event that readers get last; null for none. */
function lastEvent(
  run: LiveRun,
  outcome: Outcome,
  nowMs: number,
  { addresses, sendsError }: { addresses: string | null; sendsError: boolean },
): EventFactory | null {
  if (usesProtocolEvents(run)) return rootEndEvent(run, outcome, nowMs);
  if (sendsError) {
    const { name, message } = outcome.error!;
    return (seq) => singleFrame(seq, 'error', { error: name, message });
  }
  return addresses === null ? null : (seq) => jsonFrame(seq, 'feedback', addresses);
}
