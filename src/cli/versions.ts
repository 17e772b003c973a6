import { Client, runCommand, type Connection } from './client.js';
import { formatTable } from './output/table.js';

export interface VersionsFlags extends Connection {
  json?: boolean;
}

interface ListedVersion {
  version: string;
  current: boolean;
  kept: boolean;
  first_used_at?: string;
  last_used_at?: string;
  bytes?: number;
  library_version?: string | null;
}

interface ListedGraph {
  graph_id: string;
  versions: ListedVersion[];
}

/** Prints the versions of the code of each graph that a server keeps. */
export function listVersions(flags: VersionsFlags): Promise<void> {
  return runCommand(1, async () => {
    const answer = await new Client(flags).get('/server/code');
    const { graphs } = JSON.parse(answer) as { graphs: ListedGraph[] };
    process.stdout.write(flags.json === true ? `${answer}\n` : `${versionsTable(graphs)}\n`);
    return 0;
  });
}

function versionsTable(graphs: readonly ListedGraph[]): string {
  return formatTable(
    ['graph', 'version', 'state', 'first used', 'last used', 'KiB', 'LangGraph'],
    graphs.flatMap(({ graph_id: graphId, versions }) =>
      versions.map(({ version, current, kept, ...more }) => [
        graphId,
        version,
        current ? (kept ? 'current' : 'current, not kept') : 'kept',
        more.first_used_at ?? '-',
        more.last_used_at ?? '-',
        more.bytes === undefined ? '-' : (more.bytes / 1024).toFixed(1),
        more.library_version ?? '-',
      ]),
    ),
    new Set(['KiB']),
  );
}
