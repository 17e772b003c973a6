import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { HeapShrinker, type HeapSize } from '../../src/base/heap-shrinker.js';
import { LIMITS, MiB } from '../../src/base/limits.js';
import { ROOT } from '../helpers/server.js';

const START: HeapSize = { used_heap_size: 20 * MiB, total_physical_size: 30 * MiB };

/** A thread whose collector returns everything above `live`. Time passes in steps of an observation. */
class Thread {
  readonly collections: { ms: number; kind: 'young' | 'all' }[] = [];
  heap = { ...START };
  live = 10 * MiB;
  #ms = 0;
  readonly #shrinker = new HeapShrinker({
    collectYoung: () => this.#collect('young'),
    collectAll: () => {
      this.#collect('all');
      this.heap.used_heap_size = this.live;
      this.heap.total_physical_size = this.live + MiB;
    },
    size: () => this.heap,
  });

  /** Observes the thread for so long, while it allocates so much in every step. */
  pass(ms: number, bytes = 0): void {
    for (const end = this.#ms + ms; this.#ms < end; this.#ms += LIMITS.heapReadMs) {
      this.heap.used_heap_size += bytes;
      this.#shrinker.observe(this.#ms, this.heap);
    }
  }

  #collect(kind: 'young' | 'all'): void {
    this.collections.push({ ms: this.#ms, kind });
  }

  get kinds(): string {
    return this.collections.map(({ kind }) => kind).join(' ');
  }
}

t.test('collects a thread at rest once, with 5 s between the two collections that V8 compares', (t) => {
  const thread = new Thread();
  thread.pass(60_000, 10);
  t.equal(thread.kinds, 'young all');
  const [young, all] = thread.collections;
  t.ok(all!.ms - young!.ms >= 5_000 && all!.ms <= 7_000, `at ${young!.ms} and ${all!.ms} ms`);
  t.end();
});

t.test('collects again after the heap has grown', (t) => {
  const thread = new Thread();
  thread.pass(10_000);
  thread.heap.total_physical_size += MiB;
  thread.pass(10_000);
  t.equal(thread.kinds, 'young all', 'a little more is not worth it');
  thread.heap.total_physical_size += 20 * MiB;
  thread.pass(10_000);
  t.equal(thread.kinds, 'young all young all');
  t.end();
});

t.test('leaves a busy thread alone, and waits until it is at rest', (t) => {
  const thread = new Thread();
  thread.pass(20_000, MiB);
  t.equal(thread.kinds, '');
  thread.heap = { ...START };
  thread.pass(3_000);
  thread.pass(4_000, MiB);
  thread.heap = { ...START };
  t.equal(thread.kinds, 'young', 'it became busy in between');
  thread.pass(10_000);
  t.equal(thread.kinds, 'young young all');
  t.end();
});

t.test('does not block a thread with a large heap for long', (t) => {
  const thread = new Thread();
  thread.heap = { used_heap_size: 400 * MiB, total_physical_size: 500 * MiB };
  thread.pass(60_000);
  t.equal(thread.kinds, 'young', 'and does not try again and again');
  t.end();
});

t.test('returns the memory of a real thread after a burst', async (t) => {
  const worker = new Worker(
    `const { workerData } = require('node:worker_threads');
    const { getHeapStatistics } = require('node:v8');
    void import(workerData.module).then(({ HeapShrinker }) => {
      const total = () => getHeapStatistics().total_physical_size;
      let kept = [];
      for (let n = 0; n < 3e6; n += 1) {
        kept.push({ n });
        if (kept.length > 2e5) kept = [];
      }
      kept = [];
      const before = total();
      const shrinker = new HeapShrinker();
      const timer = setInterval(() => shrinker.observe(performance.now(), getHeapStatistics()), 250);
      const end = Date.now() + 20_000;
      setInterval(() => {
        if (total() >= before / 2 && Date.now() < end) return;
        require('node:worker_threads').parentPort.postMessage({ before, after: total(), gc: typeof gc });
        process.exit();
      }, 100);
    });`,
    { eval: true, workerData: { module: `file://${ROOT}/dist/src/base/heap-shrinker.js` } },
  );
  const [{ before, after, gc }] = (await once(worker, 'message')) as [{ before: number; after: number; gc: string }];
  t.ok(before > 20 * MiB, `${before}`);
  t.ok(after < before / 2, `${before} before, ${after} after`);
  t.equal(gc, 'undefined', 'other code does not see the collector');
});
