import type { JsonBytes } from '../../base/json/json.js';
import { pack, unpack } from '../../wire/codec.js';
import { keys } from '../keys.js';
import type { DraftCommit } from '../read-your-writes.js';
import type { Lookup } from '../lookup.js';

/** How scores under one feedback key are shown and compared. */
export interface FeedbackConfigRecord {
  feedbackKey: string;
  /** JSON: `{type, min, max, categories}`. */
  config: JsonBytes;
  isLowerScoreBetter: boolean | null;
  modifiedAtUs: number;
}

export function feedbackConfigOf(lookup: Lookup, feedbackKey: string): FeedbackConfigRecord | undefined {
  const bytes = lookup.get(keys.feedbackConfig(feedbackKey));
  return bytes === undefined ? undefined : unpack<FeedbackConfigRecord>(bytes);
}

export function putFeedbackConfig(draft: DraftCommit, record: FeedbackConfigRecord): void {
  draft.put(keys.feedbackConfig(record.feedbackKey), pack(record));
}

/** Stores the config that came with scores, unless the key already has one. */
export function putConfigIfNew(draft: DraftCommit, feedbackKey: string, config: JsonBytes, nowUs: number): void {
  if (feedbackConfigOf(draft, feedbackKey) === undefined)
    putFeedbackConfig(draft, { feedbackKey, config, isLowerScoreBetter: null, modifiedAtUs: nowUs });
}
