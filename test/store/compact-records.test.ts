import * as fc from 'fast-check';
import t from 'tap';
import { packHash, packId, unpackHash, unpackId } from '../../src/base/packed-ids.js';
import { asText, jsonBytes } from '../../src/base/json/json.js';
import { packRun, unpackRun, type RunRecord } from '../../src/store/runs/runs.js';
import { pack, packRow } from '../../src/wire/codec.js';
import { packVersions, unpackVersions, type ChannelVersions } from '../../src/wire/runs/channel-versions.js';
import {
  packBody,
  packMetadata,
  packView,
  unpackBody,
  unpackMetadata,
  unpackView,
  type CheckpointBody,
  type CheckpointView,
} from '../../src/wire/runs/state.js';

const RUN_ID = '0198c1de-1c1f-7e5a-8a1f-0123456789ab';
const THREAD_ID = '0198c1de-1c20-7e5a-8a1f-0123456789ab';
const ASSISTANT_ID = '0198c1de-1c21-5e5a-8a1f-0123456789ab';

/** Ids in their usual form, and others that differ from it a little. */
const id = fc.oneof(
  fc.uuid(),
  fc.uuid().map((one) => one.toUpperCase()),
  fc.uuid().map((one) => one.replaceAll('-', '')),
  fc.uuid().map((one) => `${one}~00000001`),
  fc.string(),
);

t.test('packs the usual form of ids and hashes as bytes, and any other as text', async (t) => {
  t.equal(packId(RUN_ID).length, 16);
  t.equal(packId('edit:1'), 'edit:1');
  fc.assert(fc.property(id, (one) => unpackId(packId(one)) === one));
  const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
  fc.assert(fc.property(hex, (one) => packHash(one).length === 32 && unpackHash(packHash(one)) === one));
  fc.assert(fc.property(fc.string(), (one) => unpackHash(packHash(one)) === one));
});

const run: RunRecord = {
  runId: RUN_ID,
  threadId: THREAD_ID,
  assistantId: ASSISTANT_ID,
  graphId: 'agent',
  createdAtMs: 1_764_000_000_000,
  updatedAtMs: 1_764_000_001_000,
  status: 'success',
  metadata: jsonBytes({ assistant_id: ASSISTANT_ID, graph_id: 'agent' }),
  multitask: 'enqueue',
  attempt: 1,
  lease: 1,
  error: null,
  code: 'a'.repeat(64),
};

t.test('unpacks the run that it packed, and does not repeat the metadata that is in the record', async (t) => {
  const metadata = fc.oneof(
    fc.record({}),
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.constant({ assistant_id: 'another', graph_id: 'agent' }),
  );
  const packed = fc.record({
    runId: id,
    threadId: id,
    assistantId: id,
    graphId: fc.string(),
    client: metadata,
    isOwn: fc.boolean(),
    code: fc.option(fc.oneof(fc.constant('a'.repeat(64)), fc.string())),
  });
  fc.assert(
    fc.property(packed, ({ client, isOwn, ...ids }) => {
      const own = isOwn ? { assistant_id: ids.assistantId, graph_id: ids.graphId } : {};
      const one: RunRecord = { ...run, ...ids, metadata: jsonBytes({ ...client, ...own }) };
      const found = unpackRun(packRun(one));
      t.equal(asText(found.metadata), asText(one.metadata));
      t.same({ ...found, metadata: null }, { ...one, metadata: null });
    }),
  );
  t.ok(packRun(run).byteLength < 140, `${packRun(run).byteLength} bytes`);
});

t.test('reads runs as releases up to format 3 stored them', async (t) => {
  const fields = Object.keys(run) as (keyof RunRecord)[];
  const found = unpackRun(packRow(run, fields));
  t.same({ ...found, metadata: asText(found.metadata) }, { ...run, metadata: asText(run.metadata) });
  const { code: _code, ...older } = run;
  const withoutCode = unpackRun(packRow(older as RunRecord, fields.slice(0, -1)));
  t.equal(withoutCode.code, undefined);
});

const name = fc.constantFrom('__start__', 'messages', 'branch:to:answer', '__proto__', '0', 'answer');
const version = fc.oneof(fc.nat(), fc.double({ noNaN: true }), fc.string());
const byName = fc.dictionary(name, version, { noNullPrototype: true });

t.test('unpacks the versions of channels that it packed', async (t) => {
  const versions = fc.record({
    channels: byName,
    seen: fc.dictionary(name, byName, { noNullPrototype: true }),
  }) as fc.Arbitrary<ChannelVersions>;
  fc.assert(
    fc.property(versions, (one) => {
      const found = unpackVersions({ versions: packVersions(one), seen: null });
      t.equal(JSON.stringify(found), JSON.stringify(one));
    }),
  );
  for (const row of [[1e15, 'messages', 2], [0, 'answer', 1e15, 'messages', 2], [-1, 'answer', -1e15], []])
    t.doesNotThrow(() => unpackVersions({ versions: pack(row), seen: null }), 'ends, whatever the counts say');
  const old = unpackVersions({ versions: jsonBytes({ messages: 2 }), seen: jsonBytes({ answer: { messages: 1 } }) });
  t.strictSame(old, { channels: { messages: 2 }, seen: { answer: { messages: 1 } } });
});

const bodyOf = (own: Partial<CheckpointBody>): CheckpointBody => ({
  v: 4,
  ts: '2026-11-28T12:00:00.000Z',
  parentId: RUN_ID,
  versions: packVersions({ channels: {}, seen: {} }),
  seen: null,
  metadata: packMetadata({ source: 'loop', step: 3, parents: {} }),
  base: [0, ['j', jsonBytes({}), null, 1]],
  channels: [],
  ...own,
});

t.test('unpacks the checkpoint that it packed', async (t) => {
  const time = fc.oneof(
    fc.date({ noInvalidDate: true }).map((one) => one.toISOString()),
    fc.constantFrom('2026-11-28T12:00:00Z', '2026-02-31T12:00:00.000Z', '', 'soon', '2026'),
  );
  const metadata = fc.oneof(
    fc.record({ source: fc.constantFrom('loop', 'a b', ''), step: fc.integer(), parents: fc.constant({}) }),
    fc.constantFrom(
      { source: 'loop', step: 1, parents: { '': RUN_ID } },
      { step: 1, source: 'loop', parents: {} },
      { source: 'loop', step: 1, parents: [] },
      { source: 'loop', step: 1.5, parents: {} },
      { source: 'loop', step: 1, parents: {}, counters_since_delta_snapshot: { messages: 1 } },
    ),
    fc.dictionary(fc.string(), fc.jsonValue()),
  );
  fc.assert(
    fc.property(time, fc.option(id), metadata, (ts, parentId, one) => {
      const found = unpackBody(packBody(bodyOf({ ts, parentId, metadata: packMetadata(one) })));
      t.equal(found.ts, ts);
      t.equal(found.parentId, parentId);
      t.equal(JSON.stringify(unpackMetadata(found.metadata)), JSON.stringify(one));
    }),
  );
  t.ok(packBody(bodyOf({})).byteLength < 70, `${packBody(bodyOf({})).byteLength} bytes`);
});

t.test('unpacks the view that it packed', async (t) => {
  const view: CheckpointView = {
    next: ['answer'],
    tasks: [
      { id: RUN_ID, name: 'answer', path: jsonBytes(['__pregel_pull', 'answer']), subgraph: null, interrupts: null },
      { id: 'other', name: 'ask', path: jsonBytes([]), subgraph: 'ask:1', interrupts: jsonBytes([]) },
    ],
    keys: ['messages'],
    root: null,
    overrides: [],
  };
  t.same(unpackView(packView(view)), view);
});
