import { MessageChannel } from 'node:worker_threads';
import t from 'tap';
import { SERVER_CALLER } from '../../src/domain/caller.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { PortChannel } from '../../src/pool/graphs/port-channel.js';
import { RunPort } from '../../src/pool/graphs/run-port.js';
import { RUN_SIGNALS_BYTES } from '../../src/wire/runs/run-signals.js';
import { openStores } from '../../src/store/stores.js';
import { pack, unpack } from '../../src/wire/codec.js';
import type { FromWorker, ToWorker } from '../../src/wire/runs/messages.js';
import { temporaryFolder } from '../helpers/server.js';

const THREAD = {
  threadId: 'x',
  uid: 'x',
  createdAtMs: 1,
  updatedAtMs: 1,
  stateUpdatedAtMs: 1,
  status: 'idle',
  metadata: jsonBytes({}),
  config: jsonBytes({}),
  graphId: null,
  unfinished: false,
  failure: null,
  nextSeq: 0,
  temporary: false,
} as const;
const ENDED: FromWorker = {
  type: 'run.ended',
  status: 'success',
  error: null,
  lastSeq: 0,
  result: jsonBytes({}),
  asks: false,
  refusal: null,
};

t.test('fails the run, reports its end and stores nothing when a write cannot be stored', async (t) => {
  for (const requestId of [null, 7]) {
    const stores = openStores(temporaryFolder(t), undefined);
    t.teardown(() => stores.store.close());
    const { port1, port2 } = new MessageChannel();
    const ended = new Promise<{ pending: Promise<void> }>((resolve) => {
      const port = new RunPort(
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
        },
        {
          onFrames: () => null,
          onHeadView: () => undefined,
          onEnd: () => resolve({ pending: port.written }),
        },
      );
      t.teardown(() => {
        port.close();
        port1.close();
      });
    });
    const answer = new Promise<ToWorker>((resolve) => {
      port2.on('message', (bytes: Uint8Array) => resolve(unpack<ToWorker>(bytes)));
    });
    const nobodys = Buffer.alloc(16, 1);
    const batch: FromWorker[] = [
      {
        type: 'checkpoint.put',
        requestId,
        ns: '',
        id: 'c',
        body: new Uint8Array(1),
        view: null,
        uses: nobodys,
        content: [],
      },
      ...(requestId === null ? [ENDED] : []),
    ];
    port2.postMessage(pack(batch));
    if (requestId === null) {
      await t.rejects((await ended).pending, { code: 'STORE_DAMAGED' });
    } else {
      t.match(await answer, { type: 'reply', requestId, ok: false, error: { name: 'STORE_DAMAGED' } });
    }
    await stores.store.flushed();
    t.strictSame([...stores.store.keys({ prefix: ['c', 'x'] })], []);
    port2.close();
  }
});
