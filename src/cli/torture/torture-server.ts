import { openServer } from '../../server/server.js';
import { readConfig } from '../../config/config.js';
import { EXAMPLES } from '../../base/program-files.js';
import { withBuiltInGraph } from '../walk/built-in-graph.js';

/** The process that `doctor --torture` kills: a server on the folder, with the built-in graph. Prints its address. */
export async function serveTorture(folder: string): Promise<void> {
  // No variable of a real server applies here.
  const config = readConfig(
    { config: EXAMPLES, host: '127.0.0.1', port: '0', data: folder, workers: '1', webhooks: false },
    { LOG_LEVEL: 'error' },
  );
  const server = await openServer({ ...config, project: withBuiltInGraph(config.project) });
  process.stdout.write(`${server.url}\n`);
  const stop = async (): Promise<void> => {
    await server.close(0);
    process.exit(0);
  };
  // The end of stdin is also the end of the process that started this one.
  process.stdin.once('end', () => void stop());
  process.stdin.resume();
}
