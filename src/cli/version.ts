import { dirname, resolve } from 'node:path';
import { findTransport } from '../http/transport/create-app.js';
import { VERSION } from '../base/version.js';
import { FORMAT_VERSION } from '../store/keys.js';
import { runCommand } from './client.js';
import { PROGRAM_FOLDER } from '../base/program-files.js';
import { findPackage } from './packages.js';
import { formatPairs } from './output/table.js';

export interface VersionFlags {
  config: string;
  json?: boolean;
}

/** Prints the versions that belong in a bug report. */
export function version({ config, json }: VersionFlags): Promise<void> {
  return runCommand(1, async () => {
    const versionOf = (name: string): string | null => findPackage(name, PROGRAM_FOLDER)?.version ?? null;
    const langgraph = findPackage('@langchain/langgraph', dirname(resolve(config)));
    const found = {
      threadmill: VERSION,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      langgraph: langgraph?.version ?? null,
      langgraph_folder: langgraph?.folder ?? null,
      lmdb: versionOf('lmdb'),
      transport: (await findTransport('auto')).name,
      data_format: FORMAT_VERSION,
    };
    process.stdout.write(
      `${
        json === true
          ? JSON.stringify(found)
          : formatPairs([
              ['threadmill', found.threadmill],
              ['node', `${found.node} (${found.platform})`],
              ['langgraph', `${found.langgraph ?? 'none'} (${found.langgraph_folder ?? 'included'})`],
              ['lmdb', found.lmdb ?? 'none'],
              ['transport', found.transport === 'uws' ? 'uWebSockets.js' : 'node:http'],
              ['data format', String(found.data_format)],
            ])
      }\n`,
    );
    return 0;
  });
}
