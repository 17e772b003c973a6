import hooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Keeps tap from following every promise of the process with async hooks, which costs a tenth of the CPU time of tests
 * with a server in them. tap uses them to find the test that an uncaught error belongs to; group.ts names the file.
 * Import it before tap.
 */

hooks.createHook = () => {
  const hook: hooks.AsyncHook = { enable: () => hook, disable: () => hook };
  return hook;
};
syncBuiltinESMExports();
