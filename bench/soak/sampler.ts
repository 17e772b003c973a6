import { readdirSync, readFileSync } from 'node:fs';
import type { ThreadmillServer } from '../contenders/threadmill.js';
import { sendJson } from '../load.js';
import { ReaderSlots } from './reader-slots.js';

/** Values of one sample: memory in MiB, delays in ms, and counts. */
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

interface Metric {
  name: string;
  values: { value: number; metricName?: string; labels: Record<string, string> }[];
}
interface MetricsAnswer {
  queue: { n_pending: number; n_running: number };
  metrics: Metric[];
}
/** Sum of delays in seconds, and their count, since the start. */
interface DelayTotals {
  sum: number;
  count: number;
}

const MIB = 1024 * 1024;

/** Samples a server from outside: its metrics, its process and its reader slots. */
export class Sampler {
  readonly samples: Sample[] = [];
  readonly #server: ThreadmillServer;
  readonly #slots: ReaderSlots;
  readonly #begun = performance.now();
  readonly #delays = new Map<string, DelayTotals>();

  constructor(server: ThreadmillServer) {
    this.#server = server;
    this.#slots = new ReaderSlots(server.dataFolder);
  }

  /** Takes and keeps a sample. Throws if the server does not answer. */
  async takeSample(): Promise<Sample> {
    const { queue, metrics } = await sendJson<MetricsAnswer>(this.#server.url, 'GET', '/metrics?format=json');
    const sample = {
      at: (performance.now() - this.#begun) / 1_000,
      values: { ...this.#readMetrics(queue, metrics), ...this.#readSystem() },
    };
    this.samples.push(sample);
    return sample;
  }

  /** Takes a sample every `everyMs` until `ended` is aborted. */
  async run(everyMs: number, ended: AbortSignal): Promise<void> {
    for (let due = performance.now(); !ended.aborted; due = Math.max(due + everyMs, performance.now())) {
      await new Promise((resolve) => {
        setTimeout(resolve, due - performance.now());
      });
      await this.takeSample();
    }
  }

  async close(): Promise<void> {
    await this.#slots.close();
  }

  #readMetrics(
    queue: MetricsAnswer['queue'],
    metrics: Metric[],
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
    const rows = (name: string): Metric['values'] => metrics.find((figure) => figure.name === name)!.values;
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

  #readSystem(): Pick<Values, 'ownMemory' | 'resident' | 'files' | 'threads' | 'readerSlots' | 'readTransactions'> {
    const { pid } = this.#server;
    const { rss, own } = this.#server.memory();
    const { slots, reading } = this.#slots.usedBy(pid);
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

  /** Mean in ms since the last sample. The totals drop when a worker is replaced; the mean is 0 then. */
  #meanSince(which: string, now: DelayTotals): number {
    const before = this.#delays.get(which) ?? { sum: 0, count: 0 };
    this.#delays.set(which, now);
    return now.count > before.count ? Math.max(0, ((now.sum - before.sum) / (now.count - before.count)) * 1_000) : 0;
  }
}
