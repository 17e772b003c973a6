import { ThreadmillError } from '../../base/errors.js';
import { errorOutput, Output } from '../../base/output.js';
import { thrownText } from '../../base/thrown.js';
import { readConfig, readProject, type Config, type Flags } from '../../config/config.js';
import { openServer, type Server } from '../../server/server.js';
import { watchFiles } from './watch-files.js';

/** Serves until SIGINT or SIGTERM. What keeps it from starting is said in words, with exit code 1. */
export async function serve(
  flags: Flags,
  {
    watch,
    env = process.env,
    greeting: greet = greeting,
  }: { watch: boolean; env?: NodeJS.ProcessEnv; greeting?: (server: Server) => string },
): Promise<void> {
  // Also for what graphs print: a reader that stalls or goes away must neither stop nor end the server.
  errorOutput().capture();
  new Output(process.stdout).capture();
  // Node would print it with a write that blocks.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${thrownText(error)}\n`);
    process.exit(1);
  });
  let server: Server;
  let config: Config;
  try {
    config = readConfig(flags, env);
    server = await openServer(config);
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exit(1);
  }
  const { resumed, failed } = server.recovery;
  if (resumed + failed > 0)
    process.stderr.write(
      `Recovered ${resumed} unfinished run${resumed === 1 ? '' : 's'}${failed > 0 ? `; ${failed} could not go on` : ''}.\n`,
    );
  process.stdout.write(`${greet(server)}\n`);
  const watcher = watch ? watchFiles(server.files, () => reload(server, config.project.file, env)) : null;

  let closing = false;
  const close = (): void => {
    if (closing) process.exit(1);
    closing = true;
    watcher?.close();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${describe(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
}

/** One line: address, graphs, and a command to paste. */
function greeting({ url, graphIds }: Server): string {
  const body = JSON.stringify({
    assistant_id: graphIds[0],
    input: { messages: [{ role: 'user', content: 'hello' }] },
    stream_mode: 'updates',
  });
  return `Threadmill at ${url} hosts ${graphIds.join(', ')}. Try: curl -N ${url}/runs/stream -H 'content-type: application/json' -d '${body}'`;
}

async function reload(server: Server, file: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  try {
    const files = await server.reload(readProject(file, env));
    process.stderr.write('Reloaded the graphs.\n');
    return files;
  } catch (error) {
    process.stderr.write(`${describe(error)}\nThe graphs stay as they were.\n`);
    return server.files;
  }
}

function describe(error: unknown): string {
  // The system's own words say which file and why.
  if (error instanceof Error && 'syscall' in error) return error.message;
  if (!(error instanceof ThreadmillError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  // A graph's own error: its stack says where.
  return error.code === 'GRAPH_LOAD_FAILED' && error.stack !== undefined && !error.stack.includes(error.message)
    ? `${error.message}\n${error.stack}`
    : error.message;
}
