import t from 'tap';
import { KiB, LIMITS } from '../../src/base/limits.js';
import { streamEvents } from '../../src/http/streams/event-stream.js';
import type { Exchange } from '../../src/http/transport/exchange.js';
import type { HttpResponse } from '../../src/http/transport/http-app.js';
import { ResponseStream } from '../../src/http/transport/response-stream.js';
import { RunLog } from '../../src/pool/graphs/run-log.js';
import type { LiveRun } from '../../src/services/runs/live.js';
import { frameText, singleFrame, type FrameBatch } from '../../src/wire/runs/frame.js';

const EVENT = { text: 'x' };
const LARGE = { text: 'x'.repeat(20_000) };
const event = (seq: number, data = EVENT): FrameBatch => singleFrame(seq, 'values', data);
const textOf = (seq: number, data = EVENT): string => frameText(seq, 'values', JSON.stringify(data));

/** A stream of a run's events, and what it passes to the socket: one entry for each packet. */
function openStream(): {
  log: RunLog;
  packets: string[];
  onWorkerDone: () => void;
  nextPacket: () => Promise<void>;
  /** From now on, each write fills the socket. */
  fillSocket: () => void;
  /** Tells the stream that the socket takes more. */
  drainSocket: () => void;
} {
  const packets: string[] = [];
  let isSlow = false;
  let onWritable = (_offset: number): boolean => true;
  let wake: () => void = () => undefined;
  const send = (bytes: Uint8Array | string): void => {
    packets.push(Buffer.from(bytes).toString());
    wake();
  };
  const response: Pick<HttpResponse, 'cork' | 'write' | 'end' | 'onWritable' | 'close'> = {
    cork(write) {
      write();
      return response as HttpResponse;
    },
    write(bytes) {
      send(bytes as Uint8Array);
      return !isSlow;
    },
    end(bytes) {
      send(bytes as Uint8Array);
      return response as HttpResponse;
    },
    onWritable(callback) {
      onWritable = callback;
      return response as HttpResponse;
    },
    close: () => response as HttpResponse,
  };
  const out = new ResponseStream(response as HttpResponse, {
    isAborted: () => false,
    onEnd: () => undefined,
    onWritten: () => undefined,
  });
  out.start((write) => write());
  const exchange: Pick<Exchange, 'open' | 'onAborted'> = { open: () => out, onAborted: () => undefined };
  const port = { isFinished: false };
  const log = new RunLog(null);
  log.begin(0);
  const live = { port } as unknown as LiveRun;
  streamEvents(exchange as Exchange, { log, afterSeq: -1, live, wants: null, finalText: '' }, {});
  return {
    log,
    packets,
    onWorkerDone() {
      port.isFinished = true;
    },
    nextPacket: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    fillSocket() {
      isSlow = true;
    },
    drainSocket: () => void onWritable(0),
  };
}

t.test('sends the last events of a run together with the end of the stream', (t) => {
  const { log, packets, onWorkerDone } = openStream();
  log.append(event(0));
  t.strictSame(packets, [textOf(0)], 'an event before the end is sent at once');
  onWorkerDone();
  log.append(event(1));
  log.append(event(2));
  t.equal(packets.length, 1);
  log.end();
  t.strictSame(packets, [textOf(0), textOf(1) + textOf(2)]);
  t.end();
});

t.test('sends the last events alone if storing the end of the run takes longer', async (t) => {
  const { log, packets, onWorkerDone, nextPacket } = openStream();
  log.append(event(0));
  onWorkerDone();
  log.append(event(1));
  await nextPacket();
  t.strictSame(packets, [textOf(0), textOf(1)]);
  log.end();
  t.strictSame(packets, [textOf(0), textOf(1), '']);
});

t.test('sends large last events at once, after those that wait', (t) => {
  const { log, packets, onWorkerDone } = openStream();
  onWorkerDone();
  log.append(event(0));
  log.append(event(1, LARGE));
  t.equal(packets.join(''), textOf(0) + textOf(1, LARGE));
  log.end();
  t.equal(packets.join(''), textOf(0) + textOf(1, LARGE));
  t.end();
});

t.test('gives a slow reader the events after the end of a run in small parts', (t) => {
  const { log, packets, onWorkerDone, fillSocket, drainSocket } = openStream();
  fillSocket();
  for (let seq = 0; seq < 1_000; seq += 1) log.append(event(seq, { text: 'x'.repeat(1_000) }));
  onWorkerDone();
  log.end();
  const sizes: number[] = [];
  for (let sent = 0; sizes.at(-1) !== 0; sent = packets.length) {
    drainSocket();
    sizes.push(Buffer.byteLength(packets.slice(sent).join('')));
  }
  const complete = Array.from({ length: 1_000 }, (_, seq) => textOf(seq, { text: 'x'.repeat(1_000) })).join('');
  t.equal(packets.join(''), complete);
  const largest = Math.max(...sizes);
  t.ok(largest <= LIMITS.streamDelayedBytesMax + 2 * KiB, `${largest} bytes at once`);
  t.end();
});

t.test('sends the last events before it breaks off', (t) => {
  const { log, packets, onWorkerDone } = openStream();
  onWorkerDone();
  log.append(event(0));
  log.abort();
  t.strictSame(packets, [textOf(0)]);
  t.end();
});
