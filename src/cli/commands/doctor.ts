import type { DoctorFlags } from '../doctor/doctor.js';
import type { MachineFlags } from '../doctor/doctor-machine.js';
import type { DoctorStoreFlags } from '../data-folder/doctor-store.js';
import type { TortureFlags } from '../torture/torture.js';
import { Option } from 'commander';
import { command, ENCRYPTION_KEY_FILE, withUsageExitCode, withDataOption, collect, GROUPS } from './command.js';

type Flags = DoctorFlags &
  DoctorStoreFlags &
  MachineFlags &
  Omit<TortureFlags, 'torture'> & { store?: boolean; torture?: string; tortureServer?: string };

export const doctor = withUsageExitCode(
  2,
  withDataOption(
    command(
      'doctor',
      'check this machine and project, access control (--auth), stored data (--store) or a disk (--torture)',
    )
      .option('--auth', "try every route as two users, and report what one can see or change of the other's records")
      .option(
        '--store',
        'check every record of a data folder that no server is using: checksums, references and indexes',
      )
      .option(
        '--torture <folder>',
        'kill a server below this folder again and again, and report whether acknowledged writes survive there',
      )
      .option('--minutes <number>', 'with --torture: how long', '1')
      // The process that --torture kills.
      .addOption(new Option('--torture-server <folder>').hideHelp()),
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
Without --auth, --store and --torture it checks what a server needs: Node, native add-ons, memory and cores, the clock, the data
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
  2  not checked: no such folder, a server is using it, wrong flags

--torture creates a folder below the one given, where it needs some 100 MB. Clients write threads, memory and runs to a
server there, which is killed at random moments and started again. Then everything that it had acknowledged must be
there. Run it on the disk that the server is to use, for longer if the disk is on a network or is unusual.

Exit code of --torture:
  0  everything acknowledged survived
  1  something was lost, undone or damaged; it is listed, and the folder is kept
  2  not run: no such folder, no space, the server does not start there, wrong flags`,
  )
  .action(async (flags: Flags) => {
    if (flags.tortureServer !== undefined)
      await (await import('../torture/torture-server.js')).serveTorture(flags.tortureServer);
    else if (flags.torture !== undefined)
      await (await import('../torture/torture.js')).doctorTorture({ ...flags, torture: flags.torture });
    else if (flags.store === true) await (await import('../data-folder/doctor-store.js')).doctorStore(flags);
    else if (flags.auth === true) await (await import('../doctor/doctor.js')).doctorAuth(flags);
    else await (await import('../doctor/doctor-machine.js')).doctorMachine(flags);
  });
