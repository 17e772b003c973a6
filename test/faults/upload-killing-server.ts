/**
 * The server, but it kills itself at the n-th commit of evaluation results (KILL_AT_COMMIT; 0: never): as soon as that
 * commit is on disk, or with KILL_WHEN=under-way as soon as it has been asked for. Started by upload-kill.test.ts in the
 * place of main.js.
 */
import { Store } from '../../src/store/env.js';
import { program } from '../../src/cli/program.js';

const PREFIXES = new Set<unknown>(['U', 'D', 'DN', 'E', 'EI', 'EL', 'S', 'SN', 'SL', 'SD', 'SH', 'SQ', 'SS', 'R', 'F', 'FI']);
const limit = Number(process.env['KILL_AT_COMMIT'] ?? 0);
const underWay = process.env['KILL_WHEN'] === 'under-way';
const die = (): void => { process.kill(process.pid, 'SIGKILL'); };
let commits = 0;
const write = Store.prototype.write;
Store.prototype.write = function patched(commit) {
  const written = write.call(this, commit);
  if (limit > 0 && commit.operations.some(([key]) => PREFIXES.has(key[0])) && ++commits === limit) {
    if (underWay) die();
    else void written.then(die);
  }
  return written;
};

await program.parseAsync(process.argv);
