import { MessageChannel } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { SERVER_CALLER } from '../../src/domain/caller.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { PortChannel } from '../../src/pool/graphs/port-channel.js';
import { RunPort } from '../../src/pool/graphs/run-port.js';
import { RUN_SIGNALS_BYTES } from '../../src/wire/runs/run-signals.js';
import { Store } from '../../src/store/store.js';
import { storesFor } from '../../src/store/stores.js';
import { unpack } from '../../src/wire/codec.js';
import type { FromWorker, ToWorker } from '../../src/wire/runs/messages.js';
import { Outbox } from '../../workers/graph/outbox.js';
import { temporaryFolder } from '../helpers/server.js';
import { SimulatedDatabase, SimulatedDisk } from '../simulation/database.js';

const THREAD = {
  threadId: '00000000-0000-7000-8000-000000000001',
  uid: 'uid',
  createdAtMs: 1,
  updatedAtMs: 1,
  stateUpdatedAtMs: 1,
  status: 'busy',
  metadata: jsonBytes({}),
  config: jsonBytes({}),
  graphId: 'g',
  unfinished: false,
  failure: null,
  nextSeq: 0,
  temporary: false,
} as const;

/** A worker's outbox and the front's end of its port, over a disk that writes when it is told to. */
function connected(t: Test): { outbox: Outbox; database: SimulatedDatabase; turn: () => Promise<void> } {
  const database = new SimulatedDatabase(new SimulatedDisk());
  const stores = storesFor(Store.forDatabase(database.asLmdb, temporaryFolder(t)), 'a key');
  const { port1, port2 } = new MessageChannel();
  const front = new RunPort(
    new PortChannel(port1, new SharedArrayBuffer(RUN_SIGNALS_BYTES)),
    stores,
    {
      caller: SERVER_CALLER,
      thread: THREAD,
      tag: { runId: 'r', lease: 1 },
      alive: null,
      resumable: false,
      hasCommand: false,
      nullResume: null,
      namespaces: [],
      nextSeq: 0,
      framesSent: 0,
    },
    { onFrames: () => null, onHeadView: () => undefined, onEnd: () => undefined },
  );
  const outbox = new Outbox(port2, 0);
  port2.on('message', (bytes: Uint8Array) => {
    const message = unpack<ToWorker>(bytes);
    if (message.type === 'run.credit') outbox.addCredit(message.bytes);
  });
  t.teardown(() => {
    front.close();
    port1.close();
    port2.close();
  });
  const turn = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns += 1)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    database.nextTurn();
  };
  return { outbox, database, turn };
}

const checkpoint = (n: number): FromWorker => ({
  type: 'checkpoint.put',
  requestId: null,
  ns: '',
  id: `id-${String(n).padStart(4, '0')}`,
  body: new Uint8Array(256 * 1024),
  view: null,
  uses: new Uint8Array(),
  content: [],
});

t.test('pauses a worker while its checkpoints are not on disk', async (t) => {
  const { outbox, database, turn } = connected(t);
  let sent = 0;
  for (; !outbox.isFull; sent += 1) {
    outbox.send(checkpoint(sent));
    await turn();
    if (sent > 1_000) throw new Error('it is never held back');
  }
  t.ok(sent * 256 * 1024 >= LIMITS.creditBytes - 256 * 1024, `${sent} checkpoints are under way`);
  let hasRoom = false;
  void outbox.waitForCredit().then(() => {
    hasRoom = true;
  });
  await turn();
  t.notOk(hasRoom);
  while (database.pending > 0) database.flush();
  await turn();
  t.ok(hasRoom);
  t.notOk(outbox.isFull);
});

t.test('does not count events that are sent at once', async (t) => {
  const { outbox, turn } = connected(t);
  for (let n = 0; n < 100; n += 1) {
    outbox.frame('custom', JSON.stringify('x'.repeat(256 * 1024)));
    outbox.flush();
    await turn();
  }
  t.notOk(outbox.isFull);
});
