import { Command } from 'commander';
import { VERSION } from '../base/version.js';
import { backup } from './commands/backup.js';
import { bench } from './commands/bench.js';
import { GROUPS } from './commands/command.js';
import { check } from './commands/check.js';
import { cluster } from './commands/cluster.js';
import { compact } from './commands/compact.js';
import { compare } from './commands/compare.js';
import { completion } from './commands/completion.js';
import { config } from './commands/config.js';
import { alerts } from './commands/alerts.js';
import { audit } from './commands/audit.js';
import { datasets } from './commands/datasets.js';
import { demo } from './commands/demo.js';
import { deploy } from './commands/deploy.js';
import { doctor } from './commands/doctor.js';
import { encrypt } from './commands/encrypt.js';
import { evaluate } from './commands/evaluate.js';
import { init } from './commands/init.js';
import { keys } from './commands/keys.js';
import { replay } from './commands/replay.js';
import { restore } from './commands/restore.js';
import { runs } from './commands/runs.js';
import { dev, serve } from './commands/serve.js';
import { shadow } from './commands/shadow.js';
import { since } from './commands/since.js';
import { threads } from './commands/threads.js';
import { traces } from './commands/traces.js';
import { upload } from './commands/upload.js';
import { version } from './commands/version.js';
import { versions } from './commands/versions.js';

/**
 * All commands, in the order of the help. Each command loads its code when it runs, so that clients do not load the
 * server.
 */
const COMMANDS: readonly Command[] = [
  init,
  demo,
  dev,
  serve,
  config,
  keys,
  backup,
  restore,
  compact,
  encrypt,
  cluster,
  doctor,
  upload,
  evaluate,
  compare,
  check,
  deploy,
  replay,
  shadow,
  since,
  runs,
  threads,
  traces,
  datasets,
  alerts,
  audit,
  versions,
  bench,
  version,
  completion,
];

export const program = new Command('threadmill')
  .description('Self-hosted serving of LangGraph graphs, with evaluation results built in.')
  .version(VERSION)
  .showHelpAfterError('"threadmill --help" lists the commands.');

program.commandsGroup(GROUPS.help).helpCommand('help [command]', 'print the help of a command');
for (const one of COMMANDS) program.addCommand(one);
