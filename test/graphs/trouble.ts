import { execFileSync } from 'node:child_process';
import { appendFileSync, closeSync, existsSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { MessagePort, parentPort } from 'node:worker_threads';
import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({
  /** What to do: see the cases below. */
  do: Annotation<string>,
  /** A number for the deed. */
  n: Annotation<number>,
  /** File to write to, or to wait for. */
  file: Annotation<string>,
  done: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const GARBAGE: unknown[] = [
  null,
  undefined,
  0,
  '',
  'garbage',
  [],
  {},
  new Uint8Array(1_000),
  { type: 'run.ended' },
  { ready: true },
  { taskId: 1, result: null, error: null },
  new Map([['x', 1]]),
  Symbol.iterator.description,
];

/** Replaces what libraries build on by what does nothing, for the whole thread. Returns what puts it back. */
function replaceGlobal(path: string): () => void {
  const names = path.split('.');
  const name = names.pop()!;
  const owner = names.reduce<Record<string, unknown>>(
    (object, one) => (one === 'MessagePort' ? MessagePort : object[one]) as Record<string, unknown>,
    globalThis,
  );
  const original = owner[name];
  owner[name] = function replaced() {
    return undefined;
  };
  return () => {
    owner[name] = original;
  };
}

class CustomError extends Error {
  override name = 'CustomError';
}

async function misbehave(state: typeof State.State, config: LangGraphRunnableConfig): Promise<{ done: string[] }> {
  switch (state.do) {
    case 'throw':
      throw new CustomError('Boo!');
    case 'exit':
      process.exit(3);
    // falls through is impossible: the thread is gone
    case 'exit-once':
      if (!existsSync(state.file)) {
        appendFileSync(state.file, 'x');
        process.exit(3);
      }
      return { done: ['survived'] };
    case 'throw-outside':
      setTimeout(() => {
        throw new Error('outside of any promise');
      }, 1);
      await sleep(60_000);
      return { done: ['never'] };
    case 'loop':
      for (;;);
    case 'oom': {
      const hoard: unknown[] = [];
      for (;;) hoard.push(new Array(100_000).fill(Math.random()));
    }
    case 'atomics-wait':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      return { done: ['never'] };
    case 'garbage':
      // What user code reaches of the way to the front: the port of its thread.
      for (const nonsense of GARBAGE) parentPort?.postMessage(nonsense);
      parentPort?.emit('message', { nonsense: true });
      return { done: ['posted'] };
    case 'block':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, state.n);
      return { done: ['blocked'] };
    case 'sleep':
      await sleep(state.n);
      return { done: [`slept ${state.n}`] };
    case 'stubborn':
      // Ignores the signal.
      for (let i = 0; i < state.n / 10; i += 1) await sleep(10);
      return { done: ['stubborn'] };
    case 'wait-for-file':
      while (!existsSync(state.file)) await sleep(5);
      return { done: ['found'] };
    case 'count':
      appendFileSync(state.file, 'x');
      return { done: ['counted'] };
    case 'custom':
      for (let i = 0; i < state.n; i += 1) config.writer?.({ i });
      return { done: ['wrote'] };
    case 'replace':
      replaceGlobal(state.file);
      await sleep(1);
      return { done: [`replaced ${state.file}`] };
    case 'kill-self':
      process.kill(process.pid, 'SIGKILL');
      return { done: ['killed'] };
    case 'abort':
      return process.abort();
    case 'really-exit': {
      (process as unknown as { reallyExit(code: number): void }).reallyExit(3);
      await sleep(60_000);
      return { done: ['never'] };
    }
    case 'kill-by-shell':
      execFileSync('kill', ['-9', String(process.pid)]);
      await sleep(60_000);
      return { done: ['never'] };
    case 'close-descriptors':
      // All but the standard streams, as far as `n`: sockets of the server, its data file, what wakes its loop.
      for (let descriptor = 3; descriptor < state.n; descriptor += 1) {
        try {
          closeSync(descriptor);
        } catch {
          // Not open.
        }
      }
      return { done: ['closed'] };
    case 'close-data-file':
      for (const name of readdirSync('/proc/self/fd')) {
        try {
          if (readlinkSync(`/proc/self/fd/${name}`).includes('data.mdb')) closeSync(Number(name));
        } catch {
          // Closed meanwhile.
        }
      }
      // Files that are opened now get the numbers that are free.
      for (let at = 0; at < state.n; at += 1) openSync(`${state.file}-${at}`, 'w+');
      return { done: ['closed'] };
    case 'close-ports':
      // What a hook of async_hooks reaches as well.
      for (const handle of (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles())
        if (handle instanceof MessagePort && handle !== parentPort) handle.close();
      await sleep(1);
      return { done: ['closed'] };
    case 'replace-for':
      // Like fake timers in a test: what was asked meanwhile is never answered.
      {
        const restore = replaceGlobal('setTimeout');
        for (const until = performance.now() + state.n; performance.now() < until;)
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
        restore();
      }
      return { done: ['restored'] };
    case 'write-and-exit-once':
      if (existsSync(state.file)) {
        for (let i = 0; i < state.n; i += 1) config.writer?.({ i });
        return { done: ['survived'] };
      }
      appendFileSync(state.file, 'x');
      for (let i = 0; i < state.n; i += 1) config.writer?.({ i });
      // The worker makes its events of them in microtasks, and sends these when the loop turns: here it does not.
      for (let i = 0; i < state.n * 100; i += 1) await Promise.resolve();
      process.exit(3);
    // falls through is impossible: the thread is gone
    case 'custom-slow':
      for (let i = 0; i < state.n; i += 1) {
        config.writer?.({ i, pad: 'x'.repeat(1_000) });
        if (i % 50 === 49) await sleep(1);
      }
      return { done: ['wrote'] };
    case 'user':
      return { done: [JSON.stringify(config.configurable?.['graph_auth_user'])] };
    case 'env':
      return { done: [process.env['TEST_GRAPHS_WORD'] ?? 'missing'] };
    default:
      return { done: ['nothing'] };
  }
}

/** One node that does whatever it is told, followed by one that does nothing. */
export const graph = new StateGraph(State)
  .addNode('misbehave', misbehave)
  .addNode('after', () => ({ done: ['after'] }))
  .addEdge(START, 'misbehave')
  .addEdge('misbehave', 'after')
  .addEdge('after', END)
  .compile();
