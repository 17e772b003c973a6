import { resolve } from 'node:path';
import { errorOutput, Output } from '../../base/output.js';
import { thrownText } from '../../base/thrown.js';
import { readConfig, readProject, type Config, type Flags, type Project } from '../../config/config.js';
import { openServer, type Server } from '../../server/server.js';
import { greetingOf, waitingGreeting } from './greeting.js';
import { errorText } from './load-failure.js';
import { createReporter, type Reporter } from './reporter.js';
import { keysThatNeedRestart } from '../../config/restart-needed.js';
import { watchFiles } from './watch-files.js';

/** Serves until SIGINT or SIGTERM. If the server cannot start, prints the reason and exits with 1. */
export async function serve(
  flags: Flags,
  {
    watch,
    env = process.env,
    prepare = () => Promise.resolve(),
    greeting = (server) => greetingOf(server),
  }: {
    watch: boolean;
    env?: NodeJS.ProcessEnv;
    /** Runs before the greeting. */
    prepare?: (server: Server) => Promise<void>;
    greeting?: (server: Server) => string;
  },
): Promise<void> {
  // Covers the output of graphs too: a stalled or closed pipe must neither block nor end the server.
  errorOutput().capture();
  new Output(process.stdout).capture();
  let reporter = createReporter(null);
  // Node's own handler would print with a blocking write.
  process.on('uncaughtException', (error) => {
    reporter.error(thrownText(error));
    process.exit(1);
  });
  let server: Server | null = null;
  let watcher: { close(): void } | null = null;
  const leaving = new AbortController();
  const close = (): void => {
    if (leaving.signal.aborted) process.exit(1);
    leaving.abort();
    watcher?.close();
    if (server !== null) void closeServer(server, reporter);
  };
  const closeOnSignals = (): void => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      if (!process.listeners(signal).includes(close)) process.on(signal, close);
  };
  const fail = (error: unknown): never => {
    if (leaving.signal.aborted) process.exit(0);
    // Nothing follows, and most readers are people, so the reason is plain text even where the log is JSON.
    reporter.error(errorText(error, resolve(flags.config ?? 'langgraph.json')));
    process.exit(1);
  };
  const start = async (config: Config, opening: Promise<Server>): Promise<void> => {
    server = await opening.catch(fail);
    if (leaving.signal.aborted) return closeServer(server, reporter);
    if (config.log.pretty === null) reporter = createReporter(server.log);
    const { resumed, failed } = server.recovery;
    if (resumed + failed > 0) {
      const failures = failed > 0 ? `; ${failed} could not continue` : '';
      reporter.info(`Recovered ${resumed} unfinished run${resumed === 1 ? '' : 's'}${failures}.`);
    }
    await prepare(server).catch((error: unknown) => reporter.warn(errorText(error, null)));
    process.stdout.write(`${greeting(server)}\n`);
    const opened = server;
    watcher = watch ? watchFiles(opened.files, () => reload(opened, { started: config.project, env, reporter })) : null;
    closeOnSignals();
  };
  let config: Config;
  try {
    config = readConfig(flags, env);
  } catch (error) {
    return fail(error);
  }
  const opening = openServer(config, {
    onWaiting: ({ url }) => {
      process.stdout.write(`${waitingGreeting(url)}\n`);
      closeOnSignals();
    },
    onHandedOver: (next) => {
      server = null;
      watcher?.close();
      void start(config, next);
    },
    signal: leaving.signal,
  });
  await start(config, opening);
}

async function closeServer(server: Server, reporter: Reporter): Promise<void> {
  try {
    await server.close();
  } catch (error) {
    reporter.error(errorText(error, null));
    process.exit(1);
  }
  process.exit(0);
}

async function reload(
  server: Server,
  { started, env, reporter }: { started: Project; env: NodeJS.ProcessEnv; reporter: Reporter },
): Promise<string[]> {
  try {
    const project = readProject(started.file, env);
    const files = await server.reload(project);
    reporter.info('Reloaded the graphs.');
    const keys = keysThatNeedRestart(started, project);
    if (keys.length > 0)
      reporter.warn(`Changed in langgraph.json, and applied after a restart only: ${keys.join(', ')}.`);
    return files;
  } catch (error) {
    reporter.error(`${errorText(error, started.file)}\nThe previous graphs stay in use.`);
    return server.files;
  }
}
