import { IterableReadableStream as Original } from '@langchain/core/utils/stream';
import t from 'tap';
import { importBundled } from '../helpers/bundled-module.js';

type StreamClass = typeof Original;

async function bundled(): Promise<StreamClass> {
  const path = '@langchain/core/dist/utils/stream.js';
  return (await importBundled<{ IterableReadableStream: StreamClass }>(path)).IterableReadableStream;
}

/** Times that something is put into a stream while `work` runs. */
async function countEnqueued(work: () => Promise<unknown>): Promise<number> {
  const { prototype } = ReadableStreamDefaultController;
  const original = Object.getOwnPropertyDescriptor(prototype, 'enqueue')!;
  let count = 0;
  Object.defineProperty(prototype, 'enqueue', {
    ...original,
    value(this: unknown, ...args: unknown[]) {
      count += 1;
      return (original.value as (...args: unknown[]) => unknown).apply(this, args);
    },
  });
  await work().finally(() => Object.defineProperty(prototype, 'enqueue', original));
  return count;
}

async function* numbers(until: number, ended: string[] = []): AsyncGenerator<number, string> {
  try {
    for (let n = 0; n < until; n += 1) yield n;
    return 'the result';
  } finally {
    ended.push('ended');
  }
}

async function read<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of stream) found.push(value);
  return found;
}

t.test('streams of generators end as in LangChain, and nothing is put into them at the end', async (t) => {
  const Stream = await bundled();
  for (const until of [0, 1, 5]) {
    const values = Array.from({ length: until }, (_, n) => n);
    const readWith = (of: StreamClass) => async (): Promise<boolean> =>
      t.strictSame(await read(of.fromAsyncGenerator(numbers(until))), values);
    t.equal(await countEnqueued(readWith(Stream)), until);
    t.equal(await countEnqueued(readWith(Original)), until + 1);
  }
});

t.test('a stream fails with its generator, and ends it when its reader stops', async (t) => {
  const failing = async function* (): AsyncGenerator<number> {
    yield 1;
    throw new Error('from the generator');
  };
  for (const of of [await bundled(), Original]) {
    const stream = of.fromAsyncGenerator(failing());
    t.ok(stream instanceof of && stream instanceof ReadableStream);
    const reader = stream.getReader();
    t.strictSame(await reader.read(), { value: 1, done: false });
    await t.rejects(reader.read(), { message: 'from the generator' });

    const ended: string[] = [];
    for await (const value of of.fromAsyncGenerator(numbers(5, ended))) if (value === 1) break;
    t.strictSame(ended, ['ended']);
  }
});
