import { Command } from 'commander';
import { VERSION } from '../base/version.js';
import type { Flags } from '../config.js';
import type { BackupFlags } from './backup.js';
import type { CompactFlags } from './compact.js';
import type { CompareFlags } from './compare.js';
import type { DemoFlags } from './demo.js';
import type { DoctorFlags } from './doctor.js';
import type { DoctorStoreFlags } from './doctor-store.js';
import type { CreateFlags, KeysFlags } from './keys.js';
import type { RestoreFlags } from './restore.js';
import type { ThreadsFlags } from './threads.js';
import type { UploadFlags } from './upload.js';

// What a command needs is loaded when it runs: a client of a running server has no use for the server.

function server(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('-c, --config <file>', 'configuration of the graphs', 'langgraph.json')
    .option('--host <address>', 'address to listen on (default: LANGGRAPH_SERVER_HOST, else 127.0.0.1)')
    .option('-p, --port <number>', 'port to listen on; 0 picks a free one (default: PORT, else 8123)')
    .option('-d, --data <folder>', 'where everything is kept', '.threadmill')
    .option('--tls-cert <file>', 'PEM certificate, with what it was issued by after it: serve https')
    .option('--tls-key <file>', 'PEM private key of the certificate')
    .option('--insecure', 'listen on an address that others can reach, although nobody is asked for a key')
    .option('-w, --workers <number>', 'threads that run graphs (default: one per core)');
}

/** What every client of a running server is told. */
function reaching(command: Command, address = 'address of the server'): Command {
  return command
    .option('--url <address>', address, 'http://127.0.0.1:8123')
    .option('--api-key <key>', 'sent as x-api-key (default: LANGSMITH_API_KEY of the environment)');
}

/** One that prints what it has got. */
function client(command: Command): Command {
  return reaching(command).option('--json', 'print JSON instead of a table');
}

const upload = client(new Command('upload')
  .description('upload the results of an experiment from a .jsonl, .json or .csv file')
  .argument('<file>', 'results, one row for every run')
  .option('--dataset <name>', 'dataset; made when there is none')
  .option('--dataset-id <uuid>', 'dataset by its id')
  .option('--experiment <name>', 'name of the experiment (default: name and time of the file)')
  .option('--description <text>', 'description of the experiment')
  .option('--metadata <json>', 'metadata of the experiment, a JSON object'))
  .addHelpText('after', `
Flags go before what the file says. --dataset or --dataset-id replaces both of the file's.

.jsonl  one row a line:
          {"inputs": {"question": "…"}, "expected_outputs": {"answer": "…"}, "actual_outputs": {"answer": "…"},
           "evaluation_scores": [{"key": "correct", "score": 1}],
           "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:02Z"}
        Only inputs is required. Also known: row_id (UUID), run_name, error, run_metadata.
        A first line {"kind": "experiment", "experiment_name": "…", …} has what belongs to the experiment.
.json   a list of such rows, or the whole body of POST /api/v1/datasets/upload-experiment
.csv    a line of column names, then a row a line, separated by commas:
          inputs.<name>            text, or a JSON object or list
          expected_outputs.<name>  the same; expected.<name> is short for it
          actual_outputs.<name>    the same; outputs.<name> is short for it
          run_metadata.<name>      the same
          scores.<key>             a number, true or false; any other text is kept as a value
          start_time, end_time, row_id, run_name, error
        An empty cell is left out.

A row without row_id is told by its inputs: equal inputs are one example, in this upload and in later ones.
A row without times gets that of the row before it, else the start of the experiment, else the present time.

Exit code: 0 uploaded, 1 not.`)
  .action(async (file: string, flags: UploadFlags) => (await import('./upload.js')).upload(file, flags));

const gather = (one: string, all: string[] = []): string[] => [...all, one];

const compare = client(new Command('compare')
  .description('compare two experiments, score by score; the exit code says whether the second is worse')
  .argument('<baseline>', 'name or id of the experiment to compare with')
  .argument('<candidate>', 'name or id of the experiment in question')
  .option('--dataset <name>', 'dataset that both must belong to, by name or id')
  .option('--fail-on-regression <keys>', 'scores that must not be worse, separated by commas; may be repeated', gather)
  .option('--confidence <number>', 'confidence of the intervals', '0.95'))
  .addHelpText('after', `
The verdict of a score is better or worse when the interval of the mean difference, by paired bootstrap over the examples that
both experiments scored, leaves out 0. From five examples on there is a verdict.

Exit code:
  0  compared; no score of --fail-on-regression is worse
  1  a score of --fail-on-regression is worse
  2  none is worse, but for one of them there is not enough evidence
  3  not compared: no server, no such experiment or score, different datasets, wrong flags`)
  // Commander's own 1 would say that something is worse.
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 3))
  .action(async (baseline: string, candidate: string, flags: CompareFlags) => (await import('./compare.js')).compare(baseline, candidate, flags));

function keysCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('-d, --data <folder>', 'where everything is kept', '.threadmill')
    .option('--json', 'print JSON');
}

const keys = new Command('keys')
  .description('make, list and revoke API keys; works on the data folder, whether a server runs on it or not')
  .addCommand(keysCommand('create', 'make a key and print it, once')
    .requiredOption('--name <name>', 'what it is for; two valid keys have different names')
    .option('--expires <when>', 'a duration (90d, 12h), a day (2027-01-31: its first moment, UTC) or a time (default: never)')
    .option('--scope <scope>', 'what it may do; may be repeated (default: everything)', gather)
    .addHelpText('after', `
Scopes:
  *                    everything
  read                 *:read and *:search
  <resource>           everything with assistants, threads, crons, store, datasets or experiments
  <resource>:<action>  one action with it: create, read, update, delete, search or create_run
  *:<action>           one action with all of them
  metrics:read         the figures of /metrics; read has them too
  server:backup        a backup of everything
  server:import        threads from files

The key goes to stdout, all else to stderr. Only its hash is kept. Exit code: 0 made, 1 not.`)
    .action(async (flags: CreateFlags) => (await import('./keys.js')).create(flags)))
  .addCommand(keysCommand('list', 'list the keys, those that expired or were revoked too')
    .action(async (flags: KeysFlags) => (await import('./keys.js')).list(flags)))
  .addCommand(keysCommand('revoke', 'revoke a key; a running server ends what it is used for at once')
    .argument('<id-or-name>', 'id of the key, or the name of one that is not revoked')
    .action(async (idOrName: string, flags: KeysFlags) => (await import('./keys.js')).revoke(idOrName, flags)));

const backup = reaching(new Command('backup')
  .description('write a backup of everything to a file, from a running server or from the data folder of one that does not run')
  .argument('<file>', 'where to; it is there whole or not at all'), 'address of the running server')
  .option('-d, --data <folder>', 'instead of a server: the data folder that no server uses now')
  .option('--force', 'replace a file that is there')
  .addHelpText('after', `
A server with keys or handlers wants a key with the scope server:backup, or one that may do everything.
The backup has all records and the hashes of API keys. It has neither seal.key, which must be kept elsewhere, nor what the
server makes again by itself.

Exit code: 0 written, 1 not.`)
  .action(async (file: string, flags: BackupFlags) => (await import('./backup.js')).backup(file, flags));

const restore = new Command('restore')
  .description('make a data folder of a backup; what does not have its checksums is refused')
  .argument('<file>', 'what "threadmill backup" has written')
  .option('-d, --data <folder>', 'folder to make: none, or an empty one', '.threadmill')
  .option('--force', 'also into a folder that has something; that is kept in a folder before-restore-… in it')
  .addHelpText('after', `
Exit code: 0 restored, 1 not; then the folder is as it was.`)
  .action(async (file: string, flags: RestoreFlags) => (await import('./restore.js')).restore(file, flags));

const compact = new Command('compact')
  .description('shrink the data file to what is in it, and drop the bytes of what was deleted; the server must not run')
  .option('-d, --data <folder>', 'where everything is kept', '.threadmill')
  .option('--json', 'print JSON')
  .addHelpText('after', `
The new file is written beside the old one and takes its place when it is on disk: there must be room for both.

Exit code: 0 done, 1 not; then the old file stands.`)
  .action(async (flags: CompactFlags) => (await import('./compact.js')).compact(flags));

const threads = new Command('threads')
  .description('take a thread from one running server to another, with its state, history and runs')
  .addCommand(reaching(new Command('export').description('write a thread to a file'))
    .argument('<thread>', 'id of the thread')
    .argument('[file]', 'where to; it is there whole or not at all (default: the id, and .jsonl)')
    .option('--force', 'replace a file that is there')
    .action(async (thread: string, file: string | undefined, flags: ThreadsFlags) => (await import('./threads.js')).exportThread(thread, file, flags)))
  .addCommand(reaching(new Command('import').description('take a thread in, and print its id'))
    .argument('<file>', 'what "threadmill threads export" has written')
    .option('--new-id', 'under another id than it had; needed when that is taken')
    .option('--json', 'print the thread as JSON')
    .addHelpText('after', `
A server with keys or handlers wants a key with the scope server:import, or one that may do everything.

Exit code: 0 done, 1 not.`)
    .action(async (file: string, flags: ThreadsFlags) => (await import('./threads.js')).importThread(file, flags)));

const doctor: Command = new Command('doctor')
  .description('look for what is wrong; says what to look at with a flag')
  .option('--auth', 'walk every route as two users over real records, and name what one sees or changes of the other\'s')
  .option('--store', 'look at every record of a data folder that no server uses: checksums, what they name, indexes')
  .option('-d, --data <folder>', 'where everything is kept', '.threadmill')
  .option('-c, --config <file>', 'configuration of the graphs', 'langgraph.json')
  .option('--user <json>', 'a user as authenticate would return it; twice, for both', gather)
  .option('--json', 'print JSON instead of a table')
  .addHelpText('after', `
--auth starts a server of its own on a temporary folder, with the auth handlers of langgraph.json and with an echo graph in
the place of its graphs. Two users are put in after authenticate, {"identity": "walk-ada"} and {"identity": "walk-bob"}
unless --user says otherwise, so that the handlers of on() judge them. Each makes records, the other tries every route.

Exit code of --auth:
  0  nothing leaked. A route that a user may not use at all is "not reached": it was not tried
  1  something leaked; each is named with its route and with what was seen or changed
  2  not walked: no handlers, handlers that refuse everything, wrong flags

--store reads the data file page by page and writes nothing, so that it can look at one that a server cannot open.

Exit code of --store:
  0  nothing wrong
  1  something is wrong; each is named by its key, or by its page of the file
  2  not looked at: no such folder, a server uses it, wrong flags`)
  // Commander's own 1 would say that something leaked.
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .action(async (flags: DoctorFlags & DoctorStoreFlags & { store?: boolean }) => {
    if (flags.store === true) await (await import('./doctor-store.js')).doctorStore(flags);
    else if (flags.auth === true) await (await import('./doctor.js')).doctorAuth(flags);
    else doctor.outputHelp();
  });

const demo = new Command('demo')
  .description('serve example graphs that need no key and no network, and say what to try')
  .option('-p, --port <number>', 'port to listen on; 0 picks a free one (default: PORT, else 8123)')
  .option('-d, --data <folder>', 'where everything is kept (default: a temporary folder, removed at the end)')
  .action(async (flags: DemoFlags) => (await import('./demo.js')).demo(flags));

export const program = new Command('threadmill')
  .description('Self-hosted serving of LangGraph graphs, with evaluation results built in.')
  .version(VERSION)
  .addCommand(server('serve', 'serve the graphs of langgraph.json').action(async (flags: Flags) => (await import('./serve.js')).serve(flags, { watch: false })))
  .addCommand(server('dev', 'serve, and take up changed graph files without dropping runs').action(async (flags: Flags) => (await import('./serve.js')).serve(flags, { watch: true })))
  .addCommand(demo)
  .addCommand(upload)
  .addCommand(compare)
  .addCommand(keys)
  .addCommand(threads)
  .addCommand(backup)
  .addCommand(restore)
  .addCommand(compact)
  .addCommand(doctor);
