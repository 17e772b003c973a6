import type { RunLog } from '../../pool/graphs/run-log.js';
import type { Frame } from '../../wire/runs/frame.js';
import type { LiveRun } from './live.js';
import type { EventFilter } from './stream-filter.js';

/** One reader's view of a run's events. */
export interface Subscription {
  log: RunLog;
  /** The reader has every event up to and including this id. */
  afterSeq: number;
  /** Null for a run that had ended before. */
  live: LiveRun | null;
  /** Null: every event. */
  wants: EventFilter | null;
  /** SSE text that ends the stream. */
  finalText: string;
  /** True if the stream goes on after a gap; by default a gap ends it. */
  continueAfterGap?: boolean;
  /** Returns what this reader gets for a frame that it wants; default: its bytes. */
  encode?: (frame: Frame) => readonly Uint8Array[];
  /** SSE text for a gap; default: an `error` event. */
  gap?: (from: number, to: number, lost: boolean) => string;
}
