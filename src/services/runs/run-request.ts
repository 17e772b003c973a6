import type { RunCreate } from '../../../schemas/compiled/types.js';
import type { Caller } from '../../domain/caller.js';
import type { Commit } from '../../store/store.js';
import type { StreamMode } from '../../wire/runs/messages.js';
import type { LiveRun } from './live.js';
import type { RunRequestContext } from './request-context.js';

export type RunPurpose = 'background' | 'stream' | 'wait';

/** Adds writes to the commit that creates the run, such as the claim of a cron's slot. */
export type ExtraWrites = (commit: Commit, run: LiveRun) => void;

/** A run that a client, a cron or an agent asks for. */
export interface NewRunRequest {
  caller: Caller;
  body: RunCreate;
  purpose: RunPurpose;
  /** Of the HTTP request; default: none. */
  context: RunRequestContext;
  /** Default: the stream modes of the body. */
  modes?: StreamMode[];
  extraWrites?: ExtraWrites;
  /** See `LiveRun.holdsTrace`. */
  holdsTrace?: boolean;
}
