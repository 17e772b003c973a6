import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import './exact-null.js';
import './without-async-hooks.js';
import t, { type Test } from 'tap';
import { delayCleanup } from './helpers/process-end.js';

/**
 * Runs the named test files in this process, one after the other, each as a subtest that has the file's name. Starting
 * a process for each file would load tap, the SDK and the server anew each time, 1.4 s of CPU.
 *
 * A file imports tap's root object. Here, what it calls on that object goes to the subtest of the file instead, so that
 * its tests, its cleanup and its timeout are its own, and so is what it sets in the environment: a file does not know
 * whether it runs alone.
 */

/** What files call on the root object. Everything else is called on the tests themselves. */
const FORWARDED = [
  ...(['test', 'teardown', 'setTimeout', 'capture', 'comment', 'before', 'after', 'beforeEach', 'afterEach'] as const),
  ...(['ok', 'notOk', 'equal', 'not', 'same', 'strictSame', 'match', 'matchStrict', 'notMatch'] as const),
  ...(['type', 'throws', 'rejects', 'pass', 'fail'] as const),
];

const fileMs = Number(process.env['TAP_TIMEOUT'] ?? 300) * 1_000;
const { test: runFile } = t;

function forwardTo(file: Test): void {
  for (const name of FORWARDED) {
    Object.defineProperty(t, name, {
      configurable: true,
      value: (...args: unknown[]) => (file[name] as (...args: unknown[]) => unknown).apply(file, args),
    });
  }
}

// Not with Node's flag, which holds for the threads of servers, too: they would read the maps of all of LangGraph.
process.setSourceMapsEnabled(true);

let running: Test = t;
process.on('uncaughtException', (error) => {
  running.threw(error);
});

/** Makes the environment of this process the same as `before`. */
function restoreEnvironment(before: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (before[name] === undefined) delete process.env[name];
  Object.assign(process.env, before);
}

t.setTimeout(0);
const environment = { ...process.env };
const cleanUp = delayCleanup();
for (const path of process.argv.slice(2)) {
  await runFile(path, { timeout: fileMs }, async (file) => {
    running = file;
    forwardTo(file);
    await import(pathToFileURL(resolve(path)).href);
  });
  restoreEnvironment(environment);
}
await cleanUp();
