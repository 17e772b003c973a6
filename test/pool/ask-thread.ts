/** A thread for test/pool/ask-pool.test.ts: it does what it is asked. */
import { threadId } from 'node:worker_threads';
import type { CallTask } from '../../src/wire/user-code/calls.js';
import { serveCalls } from '../../src/wire/user-code/serve-calls.js';
import { readWorkerData } from '../../src/wire/worker-data.js';

export interface TestAsk {
  serial: number;
  do: 'say' | 'burn' | 'burn later' | 'die' | 'keep' | 'talk';
}

export interface TestAnswer {
  serial: number;
  word: string;
  threadId: number;
}

export interface TestData {
  word: string;
  env: Record<string, string>;
}

const { word } = readWorkerData<TestData>();

export default async function serve(task: CallTask): Promise<void> {
  if (word === 'broken') throw new Error('cannot load');
  await serveCalls<TestAsk, TestAnswer>(task, async () => async (ask, turn, port) => {
    if (ask.do === 'keep') await new Promise(() => undefined);
    if (ask.do === 'burn later') await new Promise((resolve) => setImmediate(resolve));
    else turn(ask.serial);
    if (ask.do.startsWith('burn')) for (;;);
    if (ask.do === 'die') process.exit(1);
    turn(0);
    port?.on('message', (said: string) => {
      if (said === 'die') process.exit(1);
      port.postMessage(`${said}, heard`);
    });
    return { serial: ask.serial, word, threadId };
  });
}
