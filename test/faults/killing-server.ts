/**
 * The server, but it kills itself at the n-th commit (KILL_AT_COMMIT; 0: never) from the first on that writes a record
 * of the kind KILL_FROM: as soon as that commit is on disk, or with KILL_WHEN=under-way as soon as it has been asked
 * for. Says in COMMITS_FILE, a line each, which kinds of records came and went. Started by the tests in the place of
 * main.js.
 */
import { appendFileSync } from 'node:fs';
import { Store } from '../../src/store/store.js';
import { program } from '../../src/cli/program.js';

const { KILL_AT_COMMIT, KILL_FROM, KILL_WHEN, COMMITS_FILE } = process.env as Record<string, string>;
const limit = Number(KILL_AT_COMMIT);
const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};
let commits = 0;
const { write, writeRecords } = Store.prototype;

function counted(kinds: readonly string[], written: Promise<void>): Promise<void> {
  if (kinds.length === 0 || (commits === 0 && !kinds.includes(`+${KILL_FROM}`))) return written;
  appendFileSync(COMMITS_FILE!, `${[...new Set(kinds)].sort().join(' ')}\n`);
  if (++commits !== limit) return written;
  if (KILL_WHEN === 'under-way') die();
  else void written.then(die);
  return written;
}

Store.prototype.write = function patched(commit) {
  return counted(
    commit.operations.map(([[kind], value]) => `${value === null ? '-' : '+'}${kind}`),
    write.call(this, commit),
  );
};
Store.prototype.writeRecords = function patched(records) {
  return counted(
    records.map(([[kind]]) => `+${kind}`),
    writeRecords.call(this, records),
  );
};

await program.parseAsync(process.argv);
