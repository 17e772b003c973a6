import type { BenchFlags } from '../bench/bench.js';
import { command, withUsageExitCode, GROUPS } from './command.js';

export const bench = withUsageExitCode(
  2,
  command('bench', 'load a server, this or another of the Agent Server API, and print percentiles'),
)
  .helpGroup(GROUPS.clients)
  .argument('[url]', 'address of the server', 'http://127.0.0.1:8123')
  .option('--api-key <key>', 'sent as x-api-key (default: LANGSMITH_API_KEY of the environment)')
  .option(
    '--mode <mode>',
    'wait: runs that are waited for. stream: runs that are streamed. threads: runs that are waited for, each connection on a thread of its own',
    'wait',
  )
  .option('--assistant <id>', 'graph or assistant to run (default: the first that the server names)')
  .option('--input <json>', 'input of every run', '{"messages": [{"role": "user", "content": "hello"}]}')
  .option('--stream-mode <mode>', 'stream_mode of the runs of --mode stream', 'updates')
  .option('--connections <number>', 'requests under way at a time', '10')
  .option('--duration <time>', 'for how long requests are sent, such as 30s or 2m', '10s')
  .option('--amount <number>', 'instead of a time: so many requests')
  .option('--timeout <time>', 'how long one answer may take', '60s')
  .option('--json', 'print JSON instead of a table')
  .addHelpText(
    'after',
    `
One request is sent first and its answer looked at; nothing is measured when it is none. Then every connection sends its next
request when it has the answer to the one before, so a server that is slow is asked less often. Requests that are under way
at the end are waited for and count. An error that a run ends with counts as one, whatever the status of the answer.
Runs and threads stay on the server as its own rules say; use a server that is there for it.

Examples:
  threadmill bench --duration 30s --connections 100
  threadmill bench https://agents.example.com --mode stream --stream-mode messages-tuple --assistant agent --json

Exit code: 0 measured, 1 measured and there were errors, 2 not measured: no such server or assistant, a wrong answer, wrong flags.`,
  )
  .action(async (url: string, flags: BenchFlags) => (await import('../bench/bench.js')).bench(url, flags));
