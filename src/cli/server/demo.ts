import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLES } from '../../base/program-files.js';
import { FILE_KEY_VARIABLES } from '../../config/env.js';
import type { Server } from '../../server/server.js';
import { greetingOf } from './greeting.js';
import { serve } from './serve.js';

export interface DemoFlags {
  port?: string;
  data?: string;
}

/** Serves the example graphs with sample data. Without `data`, the data folder is removed at the end. */
export async function demo({ port, data }: DemoFlags): Promise<void> {
  const folder = data ?? temporaryFolder();
  // Variables that configure the graphs of another project must not affect the examples.
  const env: NodeJS.ProcessEnv = { LOG_LEVEL: 'warn', ...process.env };
  for (const [, name] of FILE_KEY_VARIABLES) delete env[name];
  await serve(
    { config: EXAMPLES, data: folder, ...(port === undefined ? {} : { port }) },
    {
      watch: false,
      env,
      prepare: async (server) => {
        await server.loadSample();
      },
      greeting: (server) => demoMessage(server, data === undefined ? `${folder}, removed at the end` : folder),
    },
  );
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-demo-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function demoMessage(server: Server, dataFolder: string): string {
  const { url } = server;
  const lines = greetingOf(server, [
    ['Answer', `${url}/console/threads shows a mail that waits for your approval`],
    ['Compare', `${url}/console/datasets shows two experiments on one dataset`],
    ['Data', dataFolder],
  ]);
  return `${lines}\n\nThe model of "agent" is scripted, so no API key is needed. Press Ctrl-C to stop.`;
}
