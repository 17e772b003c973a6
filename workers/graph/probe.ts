import { MessageChannel, type MessagePort } from 'node:worker_threads';

/**
 * Answers the main thread's probes (src/pool/graphs/probe.ts): checks that the builtins that runs depend on
 * still work. Everything is looked up at the time of the probe, in the same places as LangGraph and its
 * dependencies do.
 */
export function answerProbes(port: MessagePort): void {
  port.on('message', () => {
    const answer = (checkBuiltins: boolean): void => {
      port.postMessage(checkBuiltins);
    };
    works().then(answer, () => answer(false));
  });
  port.unref();
}

/** Resolves with false, or never, when user code replaced a builtin with one that behaves differently. */
async function works(): Promise<boolean> {
  const words = await Promise.all([
    new Promise((resolve) => {
      setTimeout(resolve, 0, 'timer');
    }),
    new Promise((resolve) => {
      setImmediate(resolve, 'immediate');
    }),
    new Promise((resolve) => {
      queueMicrotask(() => {
        resolve('microtask');
      });
    }),
    new Promise((resolve) => {
      process.nextTick(resolve, 'tick');
    }),
    Promise.resolve('then')
      .then((word) => word)
      .finally(() => undefined),
    Promise.reject(new Error('expected')).catch(() => 'caught'),
    checkStream('stream'),
    checkAbortSignal('signal'),
    checkMessagePort('message'),
  ]);
  return words.join(' ') === 'timer immediate microtask tick then caught stream signal message' && checkCollections();
}

async function checkStream(word: string): Promise<unknown> {
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(word);
      controller.close();
    },
  });
  const reader = stream.getReader();
  const { value } = await reader.read();
  return (await reader.read()).done ? value : null;
}

function checkAbortSignal(word: string): Promise<unknown> {
  return new Promise((resolve) => {
    const abort = new AbortController();
    abort.signal.addEventListener(
      'abort',
      () => {
        resolve(abort.signal.reason);
      },
      { once: true },
    );
    abort.abort(word);
  });
}

function checkMessagePort(word: string): Promise<unknown> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port2.on('message', (received) => {
      port1.close();
      resolve(received);
    });
    port1.postMessage(word);
  });
}

function checkCollections(): boolean {
  const list: number[] = [];
  list.push(3, 1, 2);
  const sorted = [...list].sort((a, b) => a - b);
  const removed = list.splice(0, 1).concat(list.shift()!, list.pop()!);
  const map = new Map(sorted.map((number) => [number, String(number)]));
  const set = new Set(sorted.filter((number) => map.get(number) === String(number)));
  const copy = JSON.parse(
    JSON.stringify(Object.fromEntries(Object.entries({ removed, found: Array.from(set) }))),
  ) as unknown;
  return JSON.stringify(copy) === '{"removed":[3,1,2],"found":[1,2,3]}';
}
