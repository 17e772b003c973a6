import type { Config, Project } from '../config/config.js';
import type { CustomApp } from '../http/custom-app.js';
import type { GraphPool } from '../pool/graphs/graph-pool.js';
import type { TypesPool } from '../pool/user-code/types-pool.js';
import type { UserCodePool } from '../pool/user-code/user-code-pool.js';
import { syncSystemAssistants } from '../services/assistants/system-assistants.js';
import type { Services } from '../services/context.js';
import type { TypesWorkerData } from '../wire/user-code/graph-types.js';
import type { ServerAddress } from '../wire/user-code/server-address.js';
import { restartRequired, type UserApp, type PreparedApp } from './user-app.js';
import type { AuthWorkers } from './auth-workers.js';
import { buildComponents, bundledProject, bundleUserCode, failOnBrokenGraph } from './user-code.js';

export interface ReloadParts {
  config: Config;
  services: Services;
  serverAddress: ServerAddress;
  pool: GraphPool;
  userCode: UserCodePool;
  types: TypesPool;
  typesData: (project: Project) => TypesWorkerData;
  authWorkers: AuthWorkers;
  app: UserApp | null;
  customApp: CustomApp | null;
  /** Folder for bundles. */
  cache: string;
}

/**
 * Loads changed code for new runs, and returns its source files. Everything is loaded before anything is exchanged, so
 * nothing changes when a part does not load. Throws CONFIG_INVALID, GRAPH_LOAD_FAILED, AUTH_LOAD_FAILED,
 * APP_LOAD_FAILED, EMBED_LOAD_FAILED, EVALUATOR_LOAD_FAILED, HIDE_FUNCTION_LOAD_FAILED.
 */
export async function reloadProject(parts: ReloadParts, project: Project): Promise<string[]> {
  const { config, services, serverAddress, pool, userCode, types, typesData, authWorkers, app, customApp, cache } =
    parts;
  const { stores, clock, graphs, graphIds, library, ui } = services;
  if ((app === null) !== (project.api.app === null)) throw restartRequired(project);
  const next = await bundleUserCode(
    { project, optimizations: config.optimizations, outside: config.outside },
    { index: config.project.store.index, cache, serverAddress },
  );
  const components = await buildComponents(project, config.api);
  const handlers = await authWorkers.prepare(project);
  let nextApp: PreparedApp | null = null;
  try {
    nextApp = (await app?.prepare(project)) ?? null;
    failOnBrokenGraph(await pool.reload(next.data));
  } catch (error) {
    await handlers.discard();
    await nextApp?.discard();
    throw error;
  }
  await handlers.activate(services.access);
  if (nextApp !== null) customApp!.setPaths(await nextApp.activate());
  await userCode.restartWith(next.data);
  await types.restartWith(typesData(project));
  graphs.replaceSources(next.data.graphs);
  await services.code.use(bundledProject(project, next), project.codeVersions);
  services.experimentJobs.evaluators = project.evaluators;
  ui.bundles = components.bundles;
  library.version = next.libraryVersion;
  graphIds.clear();
  for (const { graphId } of project.graphs) graphIds.add(graphId);
  await syncSystemAssistants(stores, clock, project.graphs, config.assistantDefaults);
  return [...next.files, ...handlers.files, ...(nextApp?.files ?? []), ...components.inputs];
}
