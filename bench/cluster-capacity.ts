/**
 * Prints how many runs clusters of several sizes serve, by simulation: `node dist/bench/cluster-capacity.js`. The
 * figures are those of docs/cluster.md, which the bench `cluster-run-cpu` measures.
 */
import { Random } from '../test/helpers/random.js';
import { quantile } from './measure.js';

/** CPU times in milliseconds. */
const FIGURES = {
  /** The front thread of the owner, for a run. */
  ownerFront: 0.7,
  /** Its other threads. */
  ownerOther: 0.24,
  /** The node whose worker executes the run, without the graph's own work. */
  worker: 1.35,
  /** The node that passes the request on. */
  forwarder: 0.2,
  /** The copy of each node that is not the owner. */
  copy: 0.15,
  /** One entry of the log, whatever the number of changes in it. */
  append: 0.92,
};
/** Times that a run stores something, each in an entry. */
const STORES = 4;
const CORES = 4;
const NODES = [1, 3, 10, 30, 60];
const GRAPHS_MS = [0, 50, 300, 1_000];
const RUNS = 12_000;
/** A rate counts as served if the p99 of a run's time is at most so many times its time on an idle cluster. */
const SLOWDOWN = 3;

/** Events in the order of their time. */
class Timeline {
  nowMs = 0;
  readonly #events: { atMs: number; happen: () => void }[] = [];

  after(ms: number, happen: () => void): void {
    const atMs = this.nowMs + ms;
    let [from, to] = [0, this.#events.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      // The next event is the last one of the array.
      if (this.#events[middle]!.atMs > atMs) from = middle + 1;
      else to = middle;
    }
    this.#events.splice(from, 0, { atMs, happen });
  }

  run(): void {
    for (let event = this.#events.pop(); event !== undefined; event = this.#events.pop()) {
      this.nowMs = event.atMs;
      event.happen();
    }
  }
}

/** Threads that take work in the order in which it comes. */
class Threads {
  readonly #timeline: Timeline;
  readonly #count: number;
  readonly #waiting: { ms: number; done: () => void }[] = [];
  #busy = 0;
  busyMs = 0;

  constructor(timeline: Timeline, count: number) {
    this.#timeline = timeline;
    this.#count = count;
  }

  get load(): number {
    return this.#busy + this.#waiting.length;
  }

  /** Part of the time for which the threads have worked. */
  get utilization(): number {
    return this.busyMs / this.#timeline.nowMs / this.#count;
  }

  work(ms: number, done: () => void): void {
    if (this.#busy === this.#count) {
      this.#waiting.push({ ms, done });
      return;
    }
    this.#busy += 1;
    this.busyMs += ms;
    this.#timeline.after(ms, () => {
      this.#busy -= 1;
      const next = this.#waiting.shift();
      if (next !== undefined) this.work(next.ms, next.done);
      done();
    });
  }
}

/** One append at a time. What comes meanwhile shares the next one. */
class Appends {
  readonly #timeline: Timeline;
  #waiting: (() => void)[] = [];
  #isAppending = false;
  busyMs = 0;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  get utilization(): number {
    return this.busyMs / this.#timeline.nowMs;
  }

  append(done: () => void): void {
    this.#waiting.push(done);
    if (!this.#isAppending) this.#next();
  }

  #next(): void {
    const shared = this.#waiting;
    this.#waiting = [];
    this.#isAppending = shared.length > 0;
    if (!this.#isAppending) return;
    this.busyMs += FIGURES.append;
    this.#timeline.after(FIGURES.append, () => {
      this.#next();
      for (const done of shared) done();
    });
  }
}

interface Outcome {
  p50Ms: number;
  p99Ms: number;
  front: number;
  appends: number;
  graphs: number;
}

/** Runs that arrive at random, at nodes drawn at random. */
function simulate(nodeCount: number, graphMs: number, perSecond: number): Outcome {
  const timeline = new Timeline();
  const random = new Random(1);
  const front = new Threads(timeline, 1);
  const appends = new Appends(timeline);
  // The front thread of the owner has a core of its own.
  const nodes = Array.from({ length: nodeCount }, (_, at) => new Threads(timeline, at === 0 ? CORES - 1 : CORES));
  const timesMs: number[] = [];
  const start = (): void => {
    const beganMs = timeline.nowMs;
    const entry = nodes[Math.floor(random.next() * nodeCount)]!;
    const worker = nodes.reduce((best, node) => (node.load < best.load ? node : best));
    const forwardMs = entry === nodes[0] ? 0 : FIGURES.forwarder / 2;
    const end = (): void => {
      timesMs.push(timeline.nowMs - beganMs);
      for (const node of nodes.slice(1)) node.work(FIGURES.copy, () => undefined);
      nodes[0]!.work(FIGURES.ownerOther, () => undefined);
    };
    const store = (step: number): void =>
      front.work(FIGURES.ownerFront / STORES, () =>
        appends.append(() => {
          if (step === STORES) entry.work(forwardMs, end);
          else worker.work(FIGURES.worker / (STORES - 1) + (step === 1 ? graphMs : 0), () => store(step + 1));
        }),
      );
    entry.work(forwardMs, () => store(1));
  };
  for (let run = 0, atMs = 0; run < RUNS; run += 1) {
    atMs += (-Math.log(1 - random.next()) * 1_000) / perSecond;
    timeline.after(atMs, start);
  }
  timeline.run();
  return {
    p50Ms: quantile(timesMs, 0.5),
    p99Ms: quantile(timesMs, 0.99),
    front: front.utilization,
    appends: appends.utilization,
    graphs: nodes.reduce((sum, { utilization }) => sum + utilization, 0) / nodeCount,
  };
}

/** The highest rate, in runs a second, whose p99 is within the limit. */
function servedRate(nodeCount: number, graphMs: number): number {
  const limitMs = simulate(nodeCount, graphMs, 0.1).p50Ms * SLOWDOWN;
  let [served, refused] = [0, (nodeCount * CORES * 1_000) / (FIGURES.worker + graphMs)];
  while (refused - served > Math.max(0.5, served / 50)) {
    const rate = (served + refused) / 2;
    if (simulate(nodeCount, graphMs, rate).p99Ms <= limitMs) served = rate;
    else refused = rate;
  }
  return served;
}

const percent = (part: number): string => `${Math.round(part * 100)} %`;

process.stdout.write(
  '| Graph | Nodes | Runs/s | p50 | p99 | Owner’s front thread | Appends | Cores of all nodes |\n' +
    '| --- | --- | --- | --- | --- | --- | --- | --- |\n',
);
for (const graphMs of GRAPHS_MS)
  for (const nodeCount of NODES) {
    const rate = servedRate(nodeCount, graphMs);
    const { p50Ms, p99Ms, front, appends, graphs } = simulate(nodeCount, graphMs, rate);
    process.stdout.write(
      `| ${graphMs} ms | ${nodeCount} | ${Math.round(rate)} | ${p50Ms.toFixed(0)} ms | ${p99Ms.toFixed(0)} ms | ` +
        `${percent(front)} | ${percent(appends)} | ${percent(graphs)} |\n`,
    );
  }
