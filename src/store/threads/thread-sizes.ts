import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import type { Caller } from '../../domain/caller.js';
import { unpackVersions } from '../../wire/runs/channel-versions.js';
import { unpackBody, type Ref } from '../../wire/runs/state.js';
import { THREAD_STATE_PREFIXES, type Key } from '../keys.js';
import type { Reader } from '../reader.js';
import type { Checkpoints } from './checkpoints.js';
import type { ThreadRecord } from './threads.js';

export interface CountAndBytes {
  count: number;
  bytes: number;
}

/**
 * What a thread's state consists of. Content that several checkpoints or channels share counts once, for the newest
 * state.
 */
export interface ThreadSizes {
  /** Records of checkpoints, with the metadata of their runs. */
  checkpoints: CountAndBytes;
  channels: Map<string, { versions: number; bytes: number }>;
  /** Pending writes by channel. */
  writes: Map<string, CountAndBytes>;
  /** Checkpoints by namespace, with all of their bytes. The root is the empty one. */
  namespaces: Map<string, CountAndBytes>;
}

/** Measures the parts of a thread's state. Reads all of it. */
export function* measureThread(checkpoints: Checkpoints, caller: Caller, thread: ThreadRecord): Steps<ThreadSizes> {
  const seen = new Set<string>();
  function* contentBytes(ref: Ref): Steps<number> {
    let bytes = inlineBytes(ref);
    for (const [, content] of checkpoints.reachableContent(caller, thread, [ref], seen)) {
      bytes += content.byteLength;
      yield;
    }
    return bytes;
  }

  const rows: CountAndBytes = { count: 0, bytes: 0 };
  const channels = new Map<string, { versions: Set<string>; bytes: number }>();
  const writes = new Map<string, CountAndBytes>();
  const namespaces = new Map<string, CountAndBytes>();
  for (const ns of checkpoints.namespaces(caller, thread)) {
    const inNamespace = { count: 0, bytes: 0 };
    for (const record of checkpoints.listDuringRemoval(caller, thread, ns)) {
      const body = unpackBody(record.body);
      const rowBytes = record.body.byteLength + checkpoints.viewSize(thread, record) + (yield* contentBytes(body.base));
      rows.count += 1;
      rows.bytes += rowBytes;
      inNamespace.count += 1;
      inNamespace.bytes += rowBytes;
      const versions = unpackVersions(body).channels;
      for (const [name, ref] of body.channels) {
        const channel = channels.get(name) ?? { versions: new Set(), bytes: 0 };
        channels.set(name, channel);
        channel.versions.add(`${ns}\u0000${String(versions[name])}`);
        const bytes = yield* contentBytes(ref);
        channel.bytes += bytes;
        inNamespace.bytes += bytes;
      }
      for (const { channel: name, ref } of checkpoints.writes(thread, record)) {
        const channel = writes.get(name) ?? { count: 0, bytes: 0 };
        writes.set(name, channel);
        const bytes = yield* contentBytes(ref);
        channel.count += 1;
        channel.bytes += bytes;
        inNamespace.bytes += bytes;
      }
      yield;
    }
    if (inNamespace.count > 0) namespaces.set(ns, inNamespace);
  }
  return {
    checkpoints: rows,
    channels: new Map([...channels].map(([name, { versions, bytes }]) => [name, { versions: versions.size, bytes }])),
    writes,
    namespaces,
  };
}

/** Bytes stored inside the reference itself. */
function inlineBytes(ref: Ref): number {
  switch (ref[0]) {
    case 0:
      return ref[1][1].byteLength + (ref[1][2]?.byteLength ?? 0);
    case 3:
      return ref[1].reduce((total, [, field]) => total + inlineBytes(field), 0);
    default:
      return 0;
  }
}

/** Stored bytes of a thread's state, with keys, as its budget and the report on storage count them. */
export function* stateBytes(store: Reader, { uid }: Pick<ThreadRecord, 'uid'>): Steps<number> {
  let bytes = 0;
  for (const prefix of THREAD_STATE_PREFIXES) {
    for (let last: Key | null = null; ;) {
      let count = 0;
      for (const [key, size] of store.sizes({
        prefix: [prefix, uid],
        ...(last === null ? {} : { start: last, after: true }),
        limit: LIMITS.sliceReads,
      })) {
        last = key;
        bytes += size;
        count += 1;
      }
      if (count < LIMITS.sliceReads) break;
      yield;
    }
  }
  return bytes;
}
