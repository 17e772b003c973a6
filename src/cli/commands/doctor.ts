import type { DoctorFlags } from '../doctor/doctor.js';
import type { MachineFlags } from '../doctor/doctor-machine.js';
import type { DoctorStoreFlags } from '../data-folder/doctor-store.js';
import { command, ENCRYPTION_KEY_FILE, withUsageExitCode, withDataOption, collect, GROUPS } from './command.js';

export const doctor = withUsageExitCode(
  2,
  withDataOption(
    command('doctor', 'look for what is wrong: with this machine and this project, or with --auth or --store closer')
      .option(
        '--auth',
        "walk every route as two users over real records, and name what one sees or changes of the other's",
      )
      .option(
        '--store',
        'look at every record of a data folder that no server uses: checksums, what they name, indexes',
      ),
  )
    .option('-c, --config <file>', 'configuration of the graphs', 'langgraph.json')
    .option(
      '--host <address>',
      'address that a server would listen on (default: LANGGRAPH_SERVER_HOST, else 127.0.0.1)',
    )
    .option('-p, --port <number>', 'port that it would listen on (default: PORT, else 8123)')
    .option('--encryption-key-file <file>', ENCRYPTION_KEY_FILE)
    .option('--user <json>', 'a user as authenticate would return it; twice, for both', collect)
    .option('--json', 'print JSON instead of a table'),
)
  .helpGroup(GROUPS.operating)
  .addHelpText(
    'after',
    `
Without --auth and --store it looks at what a server would need: Node, native add-ons, memory and cores, the clock, the data
folder, the disk and how fast it flushes, the port, the configuration, the graphs, and whether the auth walk can be made.
It writes one file into the data folder, for the flushes, and takes it away again; graphs are loaded as a server loads them.

Exit code:
  0  a server would start; there may be warnings
  1  something failed; the line says what to do
  2  wrong flags

--auth starts a server of its own on a temporary folder, with the auth handlers of langgraph.json and with an echo graph in
the place of its graphs. Two users are put in after authenticate, {"identity": "walk-ada"} and {"identity": "walk-bob"}
unless --user says otherwise, so that the handlers of on() judge them. Each makes records, the other tries every route.

Exit code of --auth:
  0  nothing leaked. A route that a user may not use at all is "not reached": it was not tried
  1  something leaked; each is named with its route and with what was seen or changed
  2  not walked: no handlers, handlers that refuse everything, wrong flags

--store reads the data file page by page and writes nothing, so that it can look at one that a server cannot open. Without
the key of an encrypted folder it looks at pages and checksums alone.

Exit code of --store:
  0  nothing wrong
  1  something is wrong; each is named by its key, or by its page of the file
  2  not looked at: no such folder, a server uses it, wrong flags`,
  )
  .action(async (flags: DoctorFlags & DoctorStoreFlags & MachineFlags & { store?: boolean }) => {
    if (flags.store === true) await (await import('../data-folder/doctor-store.js')).doctorStore(flags);
    else if (flags.auth === true) await (await import('../doctor/doctor.js')).doctorAuth(flags);
    else await (await import('../doctor/doctor-machine.js')).doctorMachine(flags);
  });
