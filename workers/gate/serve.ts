/**
 * Entry of a gate: runs the developer's `authenticate` and access handlers, nothing else. It has no store and no graphs; the
 * front ends it when it stands still.
 */
import type { MessagePort } from 'node:worker_threads';
import type { FromGate, GateAsk, GateReport, GateTask, GateWorkerData } from '../../src/wire/gate.js';
import { startBeating } from '../../src/wire/vitals.js';
import { ownWorkerData } from '../../src/wire/worker-data.js';
import { handlersOf, judge, type HandlerCache } from './handlers.js';
import { UserCache } from './user-cache.js';

const { module, exportName, cache: cacheOptions } = ownWorkerData<GateWorkerData>();

export default async function serve(task: GateTask): Promise<void> {
  const port = task.port as MessagePort;
  const say = (message: FromGate): void => port.postMessage(message);
  const turn = new Int32Array(task.turn);
  // A handler that rejects a promise of its own, unseen, must not end the gate for everyone.
  process.on('unhandledRejection', (error) => process.stderr.write(`An auth handler rejected a promise that nobody awaits: ${String(error)}\n`));

  const loaded = await load();
  say({ report: loaded.report });
  if (loaded.handlers === null) return;
  const { handlers } = loaded;
  const cache = cacheOptions === null ? null : new UserCache(cacheOptions);
  startBeating(task.beat);

  let answers: string[] = [];
  port.on('message', (text: string) => {
    void judge(handlers, cache, JSON.parse(text) as GateAsk, (serial) => Atomics.store(turn, 0, serial)).then((answer) => {
      answers.push(JSON.stringify(answer));
      if (answers.length > 1) return;
      // What is answered in one turn of the loop goes in one message.
      setImmediate(() => {
        say({ answers });
        answers = [];
      });
    });
  });
  await new Promise((resolve) => port.once('close', resolve));
}

async function load(): Promise<{ report: GateReport; handlers: HandlerCache | null }> {
  try {
    const found = handlersOf(((await import(module)) as Record<string, unknown>)[exportName]);
    if (typeof found === 'string') return { report: { ok: false, reason: `the export "${exportName}" ${found}`, stack: '' }, handlers: null };
    return { report: { ok: true }, handlers: found };
  } catch (error) {
    return { report: { ok: false, reason: error instanceof Error ? error.message : String(error), stack: error instanceof Error ? error.stack ?? '' : '' }, handlers: null };
  }
}
