import { mkdirSync } from 'node:fs';
import { cacheModule } from '../../pool/graphs/bundle.js';
import { relocateBundle } from '../../pool/graphs/relocate-bundle.js';
import { versionFromJson, type VersionJson } from '../../store/code-version-json.js';
import type { CodeVersion } from '../../store/code-versions.js';
import type { GraphSource } from '../../wire/user-code/graph-source.js';
import { type Client, CommandError, HttpError } from '../client.js';
import type { Sandbox } from './sandbox.js';

/** A version of a graph's code in the list of GET /server/code. */
export interface ListedVersion {
  version: string;
  hash: string;
  current: boolean;
  kept: boolean;
  first_used_at?: string;
}

/** The versions of a graph that the server keeps, in the order in which they were first used. */
export async function keptVersions(client: Client, graphId: string): Promise<ListedVersion[]> {
  const { graphs } = JSON.parse(await client.get('/server/code')) as {
    graphs: { graph_id: string; versions: ListedVersion[] }[];
  };
  const versions = graphs.find((graph) => graph.graph_id === graphId)?.versions ?? [];
  return versions
    .filter(({ kept }) => kept)
    .sort((a, b) => ((a.first_used_at ?? '') < (b.first_used_at ?? '') ? -1 : 1));
}

/**
 * Fetches a version of the code that the server keeps, and makes it ready for the sandbox, with the packages that the
 * sandbox's project has. `warn` gets packages that have another version there. Throws CommandError.
 */
export function loadKeptVersion(client: Client, version: string, target: CodeTarget): Promise<GraphSource> {
  const { sandbox, graphId } = target;
  const name = `${graphId} ${version}`;
  const loaded = sandbox.keptCode.get(name) ?? load(client, version, target);
  sandbox.keptCode.set(name, loaded);
  // The server may answer the next time.
  loaded.catch(() => sandbox.keptCode.delete(name));
  return loaded;
}

interface CodeTarget {
  sandbox: Sandbox;
  graphId: string;
  warn: (text: string) => void;
}

async function load(client: Client, version: string, { sandbox, graphId, warn }: CodeTarget): Promise<GraphSource> {
  const kept = await fetchVersion(client, version);
  const graph = kept.graphs.find((one) => one.graphId === graphId);
  if (graph === undefined) throw new CommandError(`The version ${version} is not code of the graph "${graphId}".`);
  const { code, problems } = relocateBundle(kept, sandbox.root);
  for (const { name, wanted, found } of problems) {
    if (found === null)
      throw new CommandError(
        `The version ${version} needs the package ${name} ${wanted}, which ${sandbox.root} does not have. Install it.`,
      );
    warn(`The version ${version} ran with ${name} ${wanted}; here it runs with ${found}.`);
  }
  mkdirSync(sandbox.codeFolder, { recursive: true, mode: 0o700 });
  const { file, exportName } = graph;
  return { graphId, file, exportName, hash: kept.hash, module: cacheModule(code, sandbox.codeFolder) };
}

async function fetchVersion(client: Client, version: string): Promise<CodeVersion> {
  try {
    return versionFromJson(JSON.parse(await client.get(`/server/code/${encodeURIComponent(version)}`)) as VersionJson);
  } catch (error) {
    if (error instanceof HttpError && error.status === 404)
      throw new CommandError(
        `The server does not keep the code version ${version} any more. "threadmill versions" lists those that it keeps.`,
      );
    throw error;
  }
}
