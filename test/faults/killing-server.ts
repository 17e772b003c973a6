/**
 * The server, but it kills itself as soon as the n-th commit after the first run's creation is on disk
 * (KILL_AFTER_COMMITS; 0: never). Started by kill-points.test.ts in the place of main.js.
 */
import { Store } from '../../src/store/env.js';
import { program } from '../../src/cli/program.js';

const limit = Number(process.env['KILL_AFTER_COMMITS'] ?? 0);
let armed = false;
let commits = 0;
const write = Store.prototype.write;
Store.prototype.write = function patched(commit) {
  armed ||= commit.operations.some(([key]) => key[0] === 'rk');
  const written = write.call(this, commit);
  if (armed && limit > 0 && commit.operations.length > 0 && ++commits === limit) {
    void written.then(() => process.kill(process.pid, 'SIGKILL'));
  }
  return written;
};

await program.parseAsync(process.argv);
