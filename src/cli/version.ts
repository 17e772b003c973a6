import { dirname, resolve } from 'node:path';
import { VERSION } from '../base/version.js';
import { FORMAT_VERSION } from '../store/keys.js';
import { runCommand } from './client.js';
import { OUR_FOLDER } from '../base/places.js';
import { findPackage } from './packages.js';
import { facts } from './output/table.js';

export interface VersionFlags {
  config: string;
  json?: boolean;
}

/** Prints what a report of a fault should have. */
export function version({ config, json }: VersionFlags): Promise<void> {
  return runCommand(1, async () => {
    const ours = (name: string): string | null => findPackage(name, OUR_FOLDER)?.version ?? null;
    const langgraph = findPackage('@langchain/langgraph', dirname(resolve(config)));
    const found = {
      threadmill: VERSION,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      langgraph: langgraph?.version ?? null,
      langgraph_folder: langgraph?.folder ?? null,
      lmdb: ours('lmdb'),
      uws: ours('uWebSockets.js'),
      data_format: FORMAT_VERSION,
    };
    process.stdout.write(
      `${
        json === true
          ? JSON.stringify(found)
          : facts([
              ['threadmill', found.threadmill],
              ['node', `${found.node} (${found.platform})`],
              ['langgraph', `${found.langgraph ?? 'none'} (${found.langgraph_folder ?? 'came along'})`],
              ['lmdb', found.lmdb ?? 'none'],
              ['uWebSockets.js', found.uws ?? 'none'],
              ['data format', String(found.data_format)],
            ])
      }\n`,
    );
    return 0;
  });
}
