import { placeOf } from '../base/ids.js';
import type { JsonBytes } from '../base/json.js';
import { packRowView, unpackRow } from '../wire/codec.js';
import { itemAt, packPlace, placeFrom, type Place } from './blocks.js';
import type { Commit } from './env.js';
import { keys } from './keys.js';
import type { Lookup } from './latest.js';
import { ORPHAN_LIST } from './lists.js';

/** A score or remark on a run, or with no run on the whole experiment. */
export interface Feedback {
  feedbackId: string;
  runId: string | null;
  traceId: string | null;
  key: string;
  createdAtUs: number;
  modifiedAtUs: number;
  /** JSON text of a string. */
  comment: JsonBytes | null;
  /** The evaluator itself failed. */
  error: boolean;
  /** JSON as sent: number or boolean; number, boolean, string or object; object or string; object; object. Null for null. */
  score: JsonBytes | null;
  value: JsonBytes | null;
  correction: JsonBytes | null;
  source: JsonBytes | null;
  config: JsonBytes | null;
  extra: JsonBytes | null;
  groupId: string | null;
  comparativeId: string | null;
}

const FIELDS = [
  'feedbackId', 'runId', 'traceId', 'key', 'createdAtUs', 'modifiedAtUs', 'comment', 'error', 'score', 'value', 'correction',
  'source', 'config', 'extra', 'groupId', 'comparativeId',
] as const satisfies readonly (keyof Feedback)[];

/** An item of a block; lasts until it is put into one. */
export function packFeedback(feedback: Feedback): Uint8Array {
  return packRowView(feedback, FIELDS);
}

export function unpackFeedback(bytes: Uint8Array): Feedback {
  return unpackRow<Feedback>(bytes, FIELDS);
}

/** The feedback and where it stands; undefined when there is none, or its experiment is gone or not published. */
export function findFeedback(lookup: Lookup, feedbackId: string): { feedback: Feedback; place: Place } | undefined {
  const bytes = lookup.get(keys.feedback(feedbackId));
  const place = bytes === undefined ? placeOf('feedback', feedbackId) : placeFrom(bytes);
  if (place === null || (place.list !== ORPHAN_LIST && lookup.get(keys.experimentList(place.list)) === undefined)) return undefined;
  const item = itemAt(lookup, 'F', place);
  if (item === undefined) return undefined;
  const feedback = unpackFeedback(item);
  return feedback.feedbackId === feedbackId ? { feedback, place } : undefined;
}

export function putFeedbackPlace(commit: Commit, feedbackId: string, place: Place): void {
  commit.put(keys.feedback(feedbackId), packPlace(place));
}
