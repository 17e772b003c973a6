import type { BenchFlags } from '../bench/bench.js';
import { API_KEY, command, GROUPS, withUsageExitCode } from './command.js';

export const bench = withUsageExitCode(
  2,
  command('bench', 'measure a server with the Agent Server API under load and print percentiles'),
)
  .helpGroup(GROUPS.clients)
  .argument('[url]', 'address of the server', 'http://127.0.0.1:8123')
  .option('--api-key <key>', API_KEY)
  .option(
    '--mode <mode>',
    'wait: wait for each run. stream: stream each run. threads: wait for each run, with one thread per connection',
    'wait',
  )
  .option('--assistant <id>', 'graph or assistant to run (default: the first one that the server lists)')
  .option('--input <json>', 'input of each run', '{"messages": [{"role": "user", "content": "hello"}]}')
  .option('--stream-mode <mode>', 'stream_mode of each run with --mode stream', 'updates')
  .option('--connections <number>', 'number of concurrent requests', '10')
  .option('--duration <time>', 'how long to send requests, such as 30s or 2m', '10s')
  .option('--amount <number>', 'send this number of requests, whatever --duration says')
  .option('--timeout <time>', 'longest time to wait for a response', '60s')
  .option('--json', 'print JSON instead of a table')
  .addHelpText(
    'after',
    `
First, one trial request is sent and its response is checked. If it fails, nothing is measured. Then each connection
sends its next request as soon as it has the previous response, so a slow server receives fewer requests. Requests that
are still open at the end are awaited and counted. A run that ends with an error counts as an error, whatever its HTTP
status. The runs and threads stay on the server under its usual retention rules. Use a test server.

Examples:
  threadmill bench --duration 30s --connections 100
  threadmill bench https://agents.example.com --mode stream --stream-mode messages-tuple --assistant agent --json

Exit code:
  0  measured, no errors
  1  measured, with errors
  2  not measured: no such server or assistant, the trial request failed, wrong flags`,
  )
  .action(async (url: string, flags: BenchFlags) => (await import('../bench/bench.js')).bench(url, flags));
