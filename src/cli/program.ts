import { Command } from 'commander';
import { VERSION } from '../base/version.js';
import { serve } from './serve.js';
import type { Flags } from '../config.js';

function server(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('-c, --config <file>', 'configuration of the graphs', 'langgraph.json')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('-p, --port <number>', 'port to listen on; 0 picks a free one', '8123')
    .option('-d, --data <folder>', 'where everything is kept', '.threadmill')
    .option('--insecure', 'listen on an address that others can reach, although nobody is asked for a key')
    .option('-w, --workers <number>', 'threads that run graphs (default: one per core)');
}

export const program = new Command('threadmill')
  .description('Self-hosted serving of LangGraph graphs.')
  .version(VERSION)
  .addCommand(server('serve', 'serve the graphs of langgraph.json').action((flags: Flags) => serve(flags, { watch: false })))
  .addCommand(server('dev', 'serve, and take up changed graph files without dropping runs').action((flags: Flags) => serve(flags, { watch: true })));
