/**
 * The server, but it kills itself at the n-th commit from an upload's first on (KILL_AT_COMMIT; 0: never): as soon as that
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
let armed = false;
const { write, writeStamped } = Store.prototype;

function counted(keys: readonly unknown[][], written: Promise<void>): Promise<void> {
  armed ||= keys.some(([prefix]) => prefix === 'U');
  if (armed && limit > 0 && keys.some(([prefix]) => PREFIXES.has(prefix)) && ++commits === limit) {
    if (underWay) die();
    else void written.then(die);
  }
  return written;
}

Store.prototype.write = function patched(commit) {
  return counted(commit.operations.map(([key]) => key), write.call(this, commit));
};
Store.prototype.writeStamped = function patched(records) {
  return counted(records.map(([key]) => key), writeStamped.call(this, records));
};

await program.parseAsync(process.argv);
