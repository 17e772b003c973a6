/** What a replayed run did with the recorded answers. Its graph worker writes it as JSON beside the recording. */
export interface ReplayReport {
  /** Number of requests that got a recorded answer. */
  answered: number;
  unrecorded: UnrecordedCall[];
  /** Recorded requests that the replayed run did not make. */
  unused: { method: string; url: string; lane: string }[];
}

/** A request that was not recorded, and what it got. */
export interface UnrecordedCall {
  /** Empty for a connection or a process, which `url` then describes. */
  method: string;
  url: string;
  /** See `laneOf` (workers/graph/recording/run-scope.ts). */
  lane: string;
  answer: 'refused' | 'nearest' | 'stub' | 'live';
  /** True if the recorded run made another request of this method to this address. */
  isKnownAddress: boolean;
}

/** Names of the files of a replay in the folder of recordings. */
export const recordingFile = (replayId: string): string => `${replayId}.recording`;
export const reportFile = (replayId: string): string => `${replayId}.report.json`;

/** A GraphSource as JSON: an old version of the graph that the replay executes. */
export const codeFile = (replayId: string): string => `${replayId}.code.json`;

/** Metadata of a run that names its replay. The graph does not see it. */
export const REPLAY_METADATA = 'threadmill_replay';
