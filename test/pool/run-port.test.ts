import { MessageChannel } from 'node:worker_threads';
import t from 'tap';
import { SERVER_CALLER, withFilters } from '../../src/domain/caller.js';
import { jsonBytes, parseJson } from '../../src/base/json/json.js';
import type { RunChannel } from '../../src/pool/graphs/run-channel.js';
import { PortChannel } from '../../src/pool/graphs/port-channel.js';
import { RunPort } from '../../src/pool/graphs/run-port.js';
import { RUN_SIGNALS_BYTES } from '../../src/wire/runs/run-signals.js';
import { keys } from '../../src/store/keys.js';
import type { ActiveRunRecord, RunPlace } from '../../src/store/runs/runs.js';
import { openStores, type Stores } from '../../src/store/stores.js';
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
          nextSeq: 0,
          framesSent: 0,
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

/** Stands for a worker: the test sends its messages, and sees what it is told. */
class FakeChannel implements RunChannel {
  readonly finishStepBytes = 1;
  readonly framesMade = 0;
  readonly finished: [bytes: number, nextSeq: number][] = [];
  readonly replies: ToWorker[] = [];
  #onMessage: (bytes: Uint8Array) => void = () => undefined;

  receive(onMessage: (bytes: Uint8Array) => void): void {
    this.#onMessage = onMessage;
  }

  /** Returns the bytes of the message. */
  deliver(...messages: FromWorker[]): number {
    const bytes = pack(messages);
    this.#onMessage(bytes);
    return bytes.byteLength;
  }

  send(message: ToWorker): void {
    this.replies.push(message);
  }

  finish(bytes: number, nextSeq: number): void {
    this.finished.push([bytes, nextSeq]);
  }

  requestFrames(): void {}

  close(): void {}
}

/** The port of a run that another node executes. */
function portOf(stores: Stores, channel: RunChannel, place: RunPlace): RunPort {
  const alive = {
    ...{ runId: 'r', threadId: 'x', uid: 'x', sealed: new Uint8Array(), inputConsumed: false },
    ...{ answered: [], suspect: false, place },
  };
  return new RunPort(
    channel,
    stores,
    {
      caller: SERVER_CALLER,
      thread: THREAD,
      tag: { runId: 'r', lease: 1 },
      alive,
      resumable: false,
      hasCommand: false,
      nullResume: null,
      namespaces: [],
      nextSeq: 5,
      framesSent: 0,
    },
    { onFrames: () => null, onHeadView: () => undefined, onEnd: () => undefined },
  );
}

const memoryPut = (requestId: number, value: object): FromWorker => ({
  type: 'memory.batch',
  requestId,
  operations: [{ op: 'put', namespace: ['n'], key: 'k', value: jsonBytes(value), index: null }],
});

t.test('finishes messages in their order, when they are on disk and answered', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  const channel = new FakeChannel();
  portOf(stores, channel, { node: 'b', isLeft: false, memoryRequests: [] });
  const first = channel.deliver(memoryPut(1, { n: 1 }));
  const second = channel.deliver({
    type: 'run.frames',
    batch: { firstSeq: 5, lastSeq: 6, names: ['values'], bytes: Buffer.from('id: 5') },
  });
  t.strictSame(channel.finished, [], 'the second waits for the first');
  while (channel.finished.length < 2) await stores.store.flushed();
  t.strictSame(channel.finished, [
    [first, 5],
    [second, 7],
  ]);
  t.match(channel.replies, [{ type: 'reply', requestId: 1, ok: true }]);
});

t.test('changes of long-term memory that an earlier owner has stored are answered and not made again', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  const answers = async (channel: FakeChannel): Promise<void> => {
    while (channel.replies.length === 0) await stores.store.flushed();
  };
  const before = new FakeChannel();
  portOf(stores, before, { node: 'b', isLeft: false, memoryRequests: [] });
  before.deliver(memoryPut(1, { n: 1 }));
  await answers(before);
  const [stored] = [...stores.store.entries({ prefix: keys.activeRuns() })];
  const { place } = unpack<ActiveRunRecord>(stored![1]);
  t.strictSame(place, { node: 'b', isLeft: false, memoryRequests: [1] }, 'stored with the change');

  const other = new FakeChannel();
  portOf(stores, other, { node: 'c', isLeft: false, memoryRequests: [] });
  other.deliver(memoryPut(1, { n: 2 }));
  await answers(other);

  const after = new FakeChannel();
  portOf(stores, after, place!);
  after.deliver(memoryPut(1, { n: 1 }));
  await answers(after);
  t.match(after.replies, [{ type: 'reply', requestId: 1, ok: true, value: [null] }]);
  const item = stores.items.get(withFilters(SERVER_CALLER, SERVER_CALLER.filters, SERVER_CALLER.stamp), ['n'], 'k');
  t.strictSame(parseJson(item!.value), { n: 2 }, 'what somebody else has stored since stays');
});
