import type { DoctorFlags } from '../doctor/doctor.js';
import type { MachineFlags } from '../doctor/doctor-machine.js';
import type { DoctorStoreFlags } from '../data-folder/doctor-store.js';
import { command, ENCRYPTION_KEY_FILE, withUsageExitCode, withDataOption, collect, GROUPS } from './command.js';

export const doctor = withUsageExitCode(
  2,
  withDataOption(
    command('doctor', 'check this machine and project, or access control with --auth, or stored data with --store')
      .option('--auth', "try every route as two users, and report what one can see or change of the other's records")
      .option(
        '--store',
        'check every record of a data folder that no server is using: checksums, references and indexes',
      ),
  )
    .option('-c, --config <file>', 'configuration file', 'langgraph.json')
    .option(
      '--host <address>',
      'address that a server would listen on (default: LANGGRAPH_SERVER_HOST, else 127.0.0.1)',
    )
    .option('-p, --port <number>', 'port that a server would listen on (default: PORT, else 8123)')
    .option('--encryption-key-file <file>', ENCRYPTION_KEY_FILE)
    .option('--user <json>', 'with --auth: a user as authenticate would return it; give it twice', collect)
    .option('--json', 'print JSON instead of a table'),
)
  .helpGroup(GROUPS.operating)
  .addHelpText(
    'after',
    `
Without --auth and --store it checks what a server needs: Node, native add-ons, memory and cores, the clock, the data
folder, disk space and flush time, the port, the configuration, the graphs and access control.
It writes one file into the data folder to measure flushes, and removes it. Graphs are loaded as a server loads them.

Exit code:
  0  a server would start; there may be warnings
  1  a check failed; the output says what to do
  2  wrong flags

--auth starts a separate server on a temporary folder, with the auth handlers of langgraph.json and a built-in echo
graph. The users are {"identity": "walk-ada"} and {"identity": "walk-bob"}, or those of --user. authenticate is skipped,
and the on() handlers decide as usual. Each user creates records, then the other one tries every route on them.

Exit code of --auth:
  0  no leak. A route that the owner may not use either is reported as "not reached"
  1  at least one leak; each is listed with its route and what was seen or changed
  2  not run: no handlers, the handlers refuse everything, wrong flags

--store reads the data file page by page and writes nothing, so it can check a file that a server cannot open. Without
the key of an encrypted folder, it checks only pages and checksums.

Exit code of --store:
  0  no problems
  1  at least one problem; each is listed with its record key or its page in the file
  2  not checked: no such folder, a server is using it, wrong flags`,
  )
  .action(async (flags: DoctorFlags & DoctorStoreFlags & MachineFlags & { store?: boolean }) => {
    if (flags.store === true) await (await import('../data-folder/doctor-store.js')).doctorStore(flags);
    else if (flags.auth === true) await (await import('../doctor/doctor.js')).doctorAuth(flags);
    else await (await import('../doctor/doctor-machine.js')).doctorMachine(flags);
  });
