import { contentHash } from '../../base/ids.js';
import { pack, unpack } from '../../wire/codec.js';
import type { Commit } from '../store.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';

export type ShareKind = 'dataset' | 'trace';

/** A public link to a dataset or to the runs of a trace. */
export interface ShareRecord {
  kind: ShareKind;
  /** Id of the dataset or the trace. */
  subjectId: string;
  /** UUID in the link. Whoever knows it can read. */
  token: string;
  /** Generation of the dataset, or number of the list of the trace: the id may be used again after a deletion. */
  generation: string | number;
  /** For a dataset: its experiments are shared too. */
  withExperiments: boolean;
  createdAtUs: number;
}

/** The share of a dataset or a trace. */
export function shareOf(lookup: Lookup, kind: ShareKind, subjectId: string): ShareRecord | undefined {
  const bytes = lookup.get(keys.share(kind, subjectId));
  return bytes === undefined ? undefined : unpackShare(bytes);
}

export function unpackShare(bytes: Uint8Array): ShareRecord {
  return unpack<ShareRecord>(bytes);
}

export function shareByToken(lookup: Lookup, token: string): ShareRecord | undefined {
  const bytes = lookup.get(keys.shareToken(tokenName(token)));
  if (bytes === undefined) return undefined;
  const [kind, subjectId] = unpack<[ShareKind, string]>(bytes);
  const share = shareOf(lookup, kind, subjectId);
  return share?.token === token ? share : undefined;
}

export function putShare(commit: Commit, share: ShareRecord): void {
  commit.put(keys.share(share.kind, share.subjectId), pack(share));
  commit.put(keys.shareToken(tokenName(share.token)), pack([share.kind, share.subjectId]));
}

export function removeShare(commit: Commit, share: ShareRecord): void {
  for (const key of shareKeys(share)) commit.remove(key);
}

export function shareKeys({ kind, subjectId, token }: ShareRecord): (string | number)[][] {
  return [keys.shareToken(tokenName(token)), keys.share(kind, subjectId)];
}

/** Record keys are readable in an encrypted folder, so the token itself is only in the value. */
export function tokenName(token: string): string {
  return contentHash(token).toString('base64url');
}
