import { randomUUID } from 'node:crypto';
import { Packr } from 'msgpackr';
import { RunLog } from '../src/pool/graphs/run-log.js';
import { RunQueue, type QueuedRun } from '../src/services/runs/run-queue.js';
import { packRow, unpackRow } from '../src/wire/codec.js';
import { framesOf, jsonFrame, singleFrame, type FrameBatch } from '../src/wire/runs/frame.js';
import { atMost, defineBench, verify, type Row } from './bench.js';
import { alternate, format, median, medianRatio } from './measure.js';

const QUEUE_US_MAX = 1;
const CODEC_SHARE_MAX = 1;
const FRAME_SHARE_MAX = 2.5;
const LOG_US_MAX = 2;

interface Params {
  units: number;
  rounds: number;
}

/** What one part does with one unit, ours and the plain alternative, each verified before. */
interface Part {
  what: string;
  ours: () => Promise<unknown> | void;
  /** The same work without the part; null if there is nothing like it. */
  reference: { name: string; work: () => void } | null;
  budget: { text: string; missed: (us: number, share: number | null) => string | null };
  method: Row['method'];
}

export default defineBench<Params>({
  name: 'parts',
  description: 'Parts of the way of a run alone: queue, codec, frames, log',
  smoke: { units: 2_000, rounds: 1 },
  real: { units: 200_000, rounds: 11 },
  async run(bench, { units, rounds }) {
    const rows: Row[] = [];
    for (const part of [queuePart(units), codecPart(units), framePart(units), logPart(units)]) {
      const timed = (work: () => Promise<unknown> | void) => async (): Promise<number> => {
        const startedMs = performance.now();
        await work();
        return ((performance.now() - startedMs) * 1_000) / units;
      };
      const reference = bench.isSmoke ? null : part.reference;
      const [ours, plain] = [timed(part.ours), reference === null ? null : timed(reference.work)];
      await ours();
      await plain?.();
      const paired = await alternate(rounds, ours, plain);
      const us = median(paired.ours);
      const share = medianRatio(paired);
      rows.push({
        what: part.what,
        ours: nanoseconds(us),
        reference: reference === null ? null : `${nanoseconds(median(paired.reference))} ${reference.name}`,
        ratio: format.ratio(share),
        budget: part.budget.text,
        missed: bench.isSmoke ? null : part.budget.missed(us, share),
        method: [
          `${rounds} ${reference === null ? '' : 'alternating '}rounds of ${units.toLocaleString('en-US')} units ` +
            `in one thread, after a warm-up: ${part.method[0]}.`,
          `Median of the rounds. ${part.method[1]}`,
        ],
      });
    }
    return rows;
  },
});

/** Runs of a few graphs come and go, while others wait. */
function queuePart(units: number): Part {
  const graphs = 8;
  const waiting = 64;
  const runs = Array.from({ length: waiting }, (_, at): QueuedRun => ({
    queued: false,
    isolated: false,
    record: { graphId: `graph-${at % graphs}` },
  }));
  const queue = new RunQueue<QueuedRun>();
  for (const run of runs) queue.push(run);
  for (let round = 0; round < 2; round += 1) {
    for (const run of runs) {
      const left = queue.peek()!;
      queue.take(left);
      verify(left === run, 'graphs take turns, and runs of a graph leave in their order');
      queue.push(left);
    }
  }
  return {
    what: 'run through the queue',
    ours: () => {
      for (let at = 0; at < units; at += 1) {
        const run = queue.peek()!;
        queue.take(run);
        queue.push(run);
      }
    },
    reference: null,
    budget: { text: `at most ${format.us(QUEUE_US_MAX)}`, missed: (us) => atMost(us, QUEUE_US_MAX) },
    method: [
      `${waiting} runs of ${graphs} graphs wait; a unit takes the next run and queues it again`,
      'Two turns of all runs are checked before.',
    ],
  };
}

/** A record of the size of a stored run, to bytes and back. */
function codecPart(units: number): Part {
  const record = {
    runId: randomUUID(),
    threadId: randomUUID(),
    assistantId: randomUUID(),
    status: 'success',
    createdMs: 1_780_000_000_000,
    updatedMs: 1_780_000_000_500,
    attempt: 1,
    lease: 3,
    metadata: Buffer.from(JSON.stringify({ user: 'ada', tags: ['a', 'b'] })),
    kwargs: Buffer.from(JSON.stringify({ input: { messages: [{ role: 'user', content: 'x'.repeat(200) }] } })),
  };
  const fields = Object.keys(record) as (keyof typeof record)[];
  const isSame = (found: typeof record): boolean =>
    fields.every((field) =>
      ArrayBuffer.isView(record[field])
        ? (record[field] as Buffer).equals(found[field] as Uint8Array)
        : found[field] === record[field],
    );
  verify(isSame(unpackRow<typeof record>(packRow(record, fields), fields)), 'a record to bytes and back');
  const named = new Packr({ useRecords: false, mapsAsObjects: true });
  return {
    what: 'record to bytes and back',
    ours: () => {
      for (let at = 0; at < units; at += 1) unpackRow<typeof record>(packRow(record, fields), fields);
    },
    reference: {
      name: 'msgpack with names',
      work: () => {
        for (let at = 0; at < units; at += 1) named.unpack(new Uint8Array(named.pack(record)));
      },
    },
    budget: {
      text: `at most ${CODEC_SHARE_MAX}`,
      missed: (_us, share) => atMost(share, CODEC_SHARE_MAX),
    },
    method: [
      `a unit packs a run of ${fields.length} fields, two of them JSON, into its own buffer and unpacks it`,
      'The record is compared field by field before.',
    ],
  };
}

/** Frames as the worker writes them, and split as for a reader who wants some of them. */
function framePart(units: number): Part {
  const data = { messages: [{ type: 'ai', content: 'x'.repeat(200) }] };
  const json = JSON.stringify(data);
  const perBatch = 64;
  const batchOf = (firstSeq: number): FrameBatch => {
    const frames = Array.from(
      { length: perBatch },
      (_, at) => singleFrame(firstSeq + at, 'messages|sub:1', data).bytes,
    );
    return { firstSeq, lastSeq: firstSeq + perBatch - 1, names: ['messages|sub:1'], bytes: Buffer.concat(frames) };
  };
  const found = [...framesOf(batchOf(7))];
  verify(found.length === perBatch, `${perBatch} frames`);
  found.forEach(({ seq, name, bytes }, at) =>
    verify(
      seq === 7 + at &&
        name === 'messages|sub:1' &&
        Buffer.from(bytes).toString() === `id: ${seq}\nevent: messages|sub:1\ndata: ${json}\n\n`,
      `frame ${at}`,
    ),
  );
  return {
    what: 'frame of an event, written and split',
    ours: () => {
      for (let at = 0; at < units; at += perBatch) for (const frame of framesOf(batchOf(at))) void frame;
    },
    reference: {
      name: 'its data as JSON alone',
      work: () => {
        for (let at = 0; at < units; at += perBatch)
          Buffer.concat(Array.from({ length: perBatch }, () => Buffer.from(JSON.stringify(data))));
      },
    },
    budget: {
      text: `at most ${FRAME_SHARE_MAX}`,
      missed: (_us, share) => atMost(share, FRAME_SHARE_MAX),
    },
    method: [
      `a unit serializes ${json.length} characters of JSON and writes their frame; batches of ${perBatch} are split again`,
      'One batch is compared byte by byte before.',
    ],
  };
}

/** One producer and several readers that follow it. */
function logPart(units: number): Part {
  const readers = 4;
  const frame = jsonFrame(0, 'values', JSON.stringify({ text: 'x'.repeat(200) }));
  const follow = async (): Promise<number> => {
    const log = new RunLog(null);
    log.begin(0);
    const cursors = Array.from({ length: readers }, () => log.cursor(-1));
    let read = 0;
    for (let seq = 0; seq < units; seq += 1) {
      log.append({ ...frame, firstSeq: seq, lastSeq: seq });
      for (const cursor of cursors) {
        const next = cursor.next();
        const found = next instanceof Promise ? await next : next;
        verify(found !== undefined && !('gap' in found) && found.firstSeq === seq, `event ${seq}`);
        cursor.advance(seq);
        read += 1;
      }
    }
    return read;
  };
  return {
    what: `event through a run's log to ${readers} readers`,
    ours: async () => {
      const read = await follow();
      verify(read === units * readers, `${units * readers} events, found ${read}`);
    },
    reference: null,
    budget: { text: `at most ${format.us(LOG_US_MAX)}`, missed: (us) => atMost(us, LOG_US_MAX) },
    method: [
      `a unit appends an event of ${frame.bytes.byteLength} bytes, and ${readers} readers take it`,
      'Every reader checks the id of every event.',
    ],
  };
}

function nanoseconds(us: number): string {
  return us < 10 ? `${Math.round(us * 1_000).toLocaleString('en-US')} ns` : format.us(us);
}
