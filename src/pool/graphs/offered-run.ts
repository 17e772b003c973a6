import type { RunChannel } from './run-channel.js';
import type { RunWorker } from './run-workers.js';

/**
 * A run that a worker has executed for an earlier owner of the cluster. The worker goes on meanwhile: what it sends is
 * kept until somebody takes it.
 */
export interface OfferedRun {
  readonly runId: string;
  /** The earlier owner's. Of another lease, somebody else executes the run. */
  readonly lease: number;
  readonly worker: RunWorker;
  /** Id of the first event in the kept messages, or in later ones. */
  readonly nextSeq: number;
  /** Number of frames that the worker has sent in earlier messages. */
  readonly framesSent: number;
  /** Takes the run over under a new lease. Its channel begins with the kept messages. */
  take(lease: number): RunChannel;
  /** Ends the run there. */
  refuse(): void;
}
