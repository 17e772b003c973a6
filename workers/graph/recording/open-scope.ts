import type { OutsideMode } from '../../../src/wire/user-code/graph-source.js';
import type { RunJob } from '../../../src/wire/runs/messages.js';
import type { Library } from '../library.js';
import { openReplay } from '../replay/open-replay.js';
import type { RunReplayer } from '../replay/run-replayer.js';
import { RunRecorder } from './run-recorder.js';

/** The scope of a run, and its job, which a replay changes. */
export interface OpenScope {
  job: RunJob;
  scope: RunRecorder | RunReplayer | null;
  /** Where a replay reports; null: nowhere. */
  reportFile: string | null;
}

export async function openScope(job: RunJob, outside: OutsideMode, library: Library): Promise<OpenScope> {
  if (outside.mode === 'replayed') return openReplay(job, outside, library);
  // Owners of a cluster before this version do not ask for recordings.
  const isRecorded = job.trace !== null && (job.trace.calls ?? 'none') !== 'none';
  return { job, scope: isRecorded ? new RunRecorder(job, library, Date.now()) : null, reportFile: null };
}
