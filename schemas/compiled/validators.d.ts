// Made by schemas/build.ts from schemas/**/*.json. Run `npm run schemas` after a change there.
import type { Validator } from '../validator.js';
import type * as T from './types.js';

export const AssistantSearch: Validator<T.AssistantSearch>;
export const AssistantParams: Validator<T.AssistantParams>;
export const CheckpointParams: Validator<T.CheckpointParams>;
export const RunParams: Validator<T.RunParams>;
export const ThreadParams: Validator<T.ThreadParams>;
export const UploadExperiment: Validator<T.UploadExperiment>;
export const UploadedRow: Validator<T.UploadedRow>;
export const UploadedFeedback: Validator<T.UploadedFeedback>;
export const RunCancelQuery: Validator<T.RunCancelQuery>;
export const RunCreate: Validator<T.RunCreate>;
export const RunJoinQuery: Validator<T.RunJoinQuery>;
export const RunListQuery: Validator<T.RunListQuery>;
export const HistoryListQuery: Validator<T.HistoryListQuery>;
export const HistoryQuery: Validator<T.HistoryQuery>;
export const StateAtCheckpoint: Validator<T.StateAtCheckpoint>;
export const StateQuery: Validator<T.StateQuery>;
export const ThreadCreate: Validator<T.ThreadCreate>;
export const ThreadListQuery: Validator<T.ThreadListQuery>;
export const ThreadPatch: Validator<T.ThreadPatch>;
export const ThreadSearch: Validator<T.ThreadSearch>;
