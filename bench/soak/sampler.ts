import { readdirSync, readFileSync } from 'node:fs';
import type { Ours } from '../contenders/ours.js';
import { ask } from '../load.js';
import { ReaderSlots } from './reader-slots.js';

/** Memory in MiB, delays in ms, the rest are counts. */
export interface Values {
  frontHeap: number;
  workerHeap: number;
  ownMemory: number;
  resident: number;
  storeFile: number;
  files: number;
  threads: number;
  readerSlots: number;
  readTransactions: number;
  streamReaders: number;
  webSockets: number;
  connections: number;
  runsAlive: number;
  commitsPending: number;
  frontDelay: number;
  workerDelay: number;
}

export interface Sample {
  /** Seconds since the sampler was made. */
  at: number;
  values: Values;
}

interface Figure {
  name: string;
  values: { value: number; metricName?: string; labels: Record<string, string> }[];
}
interface Answer {
  queue: { n_pending: number; n_running: number };
  metrics: Figure[];
}
/** Sum in seconds and count of delays since the start. */
interface Delays {
  sum: number;
  count: number;
}

const MIB = 1024 * 1024;

/** Looks at a server from outside: what it says of itself, and what the system and its store say of it. */
export class Sampler {
  readonly samples: Sample[] = [];
  readonly #server: Ours;
  readonly #slots: ReaderSlots;
  readonly #begun = performance.now();
  readonly #delays = new Map<string, Delays>();

  constructor(server: Ours) {
    this.#server = server;
    this.#slots = new ReaderSlots(server.dataFolder);
  }

  /** One more sample, kept. Throws when the server does not answer. */
  async take(): Promise<Sample> {
    const { queue, metrics } = await ask<Answer>(this.#server.url, 'GET', '/metrics?format=json');
    const sample = {
      at: (performance.now() - this.#begun) / 1_000,
      values: { ...this.#told(queue, metrics), ...this.#seen() },
    };
    this.samples.push(sample);
    return sample;
  }

  /** Every `everyMs` until `ended` is aborted. */
  async run(everyMs: number, ended: AbortSignal): Promise<void> {
    for (let due = performance.now(); !ended.aborted; due = Math.max(due + everyMs, performance.now())) {
      await new Promise((resolve) => {
        setTimeout(resolve, due - performance.now());
      });
      await this.take();
    }
  }

  async close(): Promise<void> {
    await this.#slots.close();
  }

  #told(
    queue: Answer['queue'],
    metrics: Figure[],
  ): Pick<
    Values,
    | 'frontHeap'
    | 'workerHeap'
    | 'storeFile'
    | 'streamReaders'
    | 'webSockets'
    | 'connections'
    | 'runsAlive'
    | 'commitsPending'
    | 'frontDelay'
    | 'workerDelay'
  > {
    const rows = (name: string): Figure['values'] => metrics.find((figure) => figure.name === name)!.values;
    const sum = (name: string, of: (labels: Record<string, string>) => boolean = () => true): number =>
      rows(name).reduce((total, { labels, value }) => total + (of(labels) ? value : 0), 0);
    const delays = rows('threadmill_event_loop_delay_seconds');
    const delay = (which: string, of: (labels: Record<string, string>) => boolean): number => {
      const part = (end: string): number =>
        delays.reduce(
          (total, { metricName, labels, value }) =>
            total + (metricName?.endsWith(end) === true && of(labels) ? value : 0),
          0,
        );
      return this.#meanSince(which, { sum: part('_sum'), count: part('_count') });
    };
    const front = ({ thread }: Record<string, string>): boolean => thread === 'front';
    const others = (labels: Record<string, string>): boolean => !front(labels);
    return {
      frontHeap: sum('threadmill_heap_bytes', front) / MIB,
      workerHeap: sum('threadmill_heap_bytes', others) / MIB,
      storeFile: sum('threadmill_store_file_bytes') / MIB,
      streamReaders: sum('threadmill_stream_readers'),
      webSockets: sum('threadmill_websockets_open'),
      connections: sum('threadmill_sockets_open'),
      runsAlive: queue.n_pending + queue.n_running,
      commitsPending: sum('threadmill_store_commits_pending'),
      frontDelay: delay('front', front),
      workerDelay: delay('workers', others),
    };
  }

  #seen(): Pick<Values, 'ownMemory' | 'resident' | 'files' | 'threads' | 'readerSlots' | 'readTransactions'> {
    const { pid } = this.#server;
    const { rss, own } = this.#server.memory();
    const { slots, reading } = this.#slots.of(pid);
    const threads = Number(/^Threads:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
    return {
      resident: rss / MIB,
      ownMemory: own / MIB,
      files: readdirSync(`/proc/${pid}/fd`).length,
      threads,
      readerSlots: slots,
      readTransactions: reading,
    };
  }

  /** Mean in ms since the last look; a worker that was replaced takes its count with it, so the difference may be none. */
  #meanSince(which: string, now: Delays): number {
    const before = this.#delays.get(which) ?? { sum: 0, count: 0 };
    this.#delays.set(which, now);
    return now.count > before.count ? Math.max(0, ((now.sum - before.sum) / (now.count - before.count)) * 1_000) : 0;
  }
}
