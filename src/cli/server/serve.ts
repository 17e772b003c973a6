import { ThreadmillError } from '../../base/errors.js';
import { errorOutput, Output } from '../../base/output.js';
import { thrownText } from '../../base/thrown.js';
import { readConfig, readProject, type Config, type Flags } from '../../config/config.js';
import { openServer, type Server } from '../../server/server.js';
import { watchFiles } from './watch-files.js';

/** Serves until SIGINT or SIGTERM. If the server cannot start, prints the reason and exits with 1. */
export async function serve(
  flags: Flags,
  {
    watch,
    env = process.env,
    greeting = defaultGreeting,
  }: { watch: boolean; env?: NodeJS.ProcessEnv; greeting?: (server: Server) => string },
): Promise<void> {
  // Covers the output of graphs too: a stalled or closed pipe must neither block nor end the server.
  errorOutput().capture();
  new Output(process.stdout).capture();
  // Node's own handler would print with a blocking write.
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
    process.stderr.write(`${errorText(error)}\n`);
    process.exit(1);
  }
  const { resumed, failed } = server.recovery;
  if (resumed + failed > 0) {
    const failures = failed > 0 ? `; ${failed} could not continue` : '';
    process.stderr.write(`Recovered ${resumed} unfinished run${resumed === 1 ? '' : 's'}${failures}.\n`);
  }
  process.stdout.write(`${greeting(server)}\n`);
  const watcher = watch ? watchFiles(server.files, () => reload(server, config.project.file, env)) : null;

  let closing = false;
  const close = (): void => {
    if (closing) process.exit(1);
    closing = true;
    watcher?.close();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${errorText(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
}

/** One line with the address, the graphs and a command to paste. */
function defaultGreeting({ url, graphIds }: Server): string {
  const body = JSON.stringify({
    assistant_id: graphIds[0],
    input: { messages: [{ role: 'user', content: 'hello' }] },
    stream_mode: 'updates',
  });
  return (
    `Threadmill at ${url} hosts ${graphIds.join(', ')}. Try: curl -N ${url}/runs/stream -H 'content-type: ` +
    `application/json' -d '${body}'`
  );
}

async function reload(server: Server, file: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  try {
    const files = await server.reload(readProject(file, env));
    process.stderr.write('Reloaded the graphs.\n');
    return files;
  } catch (error) {
    process.stderr.write(`${errorText(error)}\nThe previous graphs stay in use.\n`);
    return server.files;
  }
}

function errorText(error: unknown): string {
  // Messages of the system name the file and the reason.
  if (error instanceof Error && 'syscall' in error) return error.message;
  if (!(error instanceof ThreadmillError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  // An error inside a graph: its stack shows where.
  return error.code === 'GRAPH_LOAD_FAILED' && error.stack !== undefined && !error.stack.includes(error.message)
    ? `${error.message}\n${error.stack}`
    : error.message;
}
