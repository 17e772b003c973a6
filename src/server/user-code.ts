import { fail } from '../base/errors.js';
import type { Config, Project } from '../config/config.js';
import type { ItemIndexConfig } from '../config/store.js';
import { bundleGraphs, bundleModule, type BundledGraphs } from '../pool/graphs/bundle.js';
import { buildUi } from '../pool/user-code/ui-builder.js';
import { recordsCalls } from '../services/traces/trace-settings.js';
import type { BundledProject } from '../services/code/code-registry.js';
import type { LoadReport } from '../wire/runs/messages.js';
import type { ServerAddress } from '../wire/user-code/server-address.js';
import type { UserCodeWorkerData } from '../wire/user-code/user-code.js';

export interface BundledCode {
  /** What graph workers and the user-code thread start with. */
  data: UserCodeWorkerData;
  /** Source files that went into the bundles, for `dev` to watch. */
  files: string[];
  /** Of the copy of LangGraph that the graphs run with; null when it states none. */
  libraryVersion: string | null;
  /** See `BundledGraphs`. */
  imports: BundledGraphs['imports'];
}

/** The configuration of the code. `outside`: set in servers that replay runs. */
type CodeConfig = Pick<Config, 'project' | 'optimizations'> & Partial<Pick<Config, 'outside'>>;

/**
 * Bundles the project's graphs, its embedding function, its evaluators and the function of `traces.hide_with`. Throws
 * GRAPH_LOAD_FAILED, EMBED_LOAD_FAILED, EVALUATOR_LOAD_FAILED, HIDE_FUNCTION_LOAD_FAILED.
 */
export async function bundleUserCode(
  { project, optimizations, outside = null }: CodeConfig,
  { index, cache, serverAddress }: { index: ItemIndexConfig | null; cache: string; serverAddress: ServerAddress },
): Promise<BundledCode> {
  const hideFunction = project.traces?.hideFunction ?? null;
  const [{ graphs, library, libraryVersion, files, imports }, embed, evaluators, hide] = await Promise.all([
    bundleGraphs(project.graphs, project.root, cache),
    index === null
      ? null
      : bundleModule({ file: index.file, path: index.path, code: 'EMBED_LOAD_FAILED' }, project.root, cache),
    Promise.all(
      project.evaluators.map(async ({ name, file, path, exportName }) => {
        const bundled = await bundleModule({ file, path, code: 'EVALUATOR_LOAD_FAILED' }, project.root, cache);
        return { source: { name, module: bundled.url, exportName }, files: bundled.files };
      }),
    ),
    hideFunction === null
      ? null
      : bundleModule({ ...hideFunction, code: 'HIDE_FUNCTION_LOAD_FAILED' }, project.root, cache),
  ]);
  return {
    data: {
      graphs,
      library,
      env: project.env,
      own: serverAddress,
      optimizations,
      outside: outside ?? { mode: recordsCalls(project.traces) ? 'recorded' : 'live' },
      hideFunction:
        hideFunction === null || hide === null
          ? null
          : { path: hideFunction.path, module: hide.url, exportName: hideFunction.exportName },
      embed:
        index === null || embed === null ? null : { module: embed.url, exportName: index.exportName, dims: index.dims },
      evaluators: evaluators.map(({ source }) => source),
    },
    files: [
      ...new Set([
        project.file,
        ...files,
        ...(embed?.files ?? []),
        ...evaluators.flatMap((one) => one.files),
        ...(hide?.files ?? []),
      ]),
    ],
    libraryVersion,
    imports,
  };
}

/** The graphs, for the versions of their code. */
export function bundledProject({ root }: Project, { data, imports, libraryVersion }: BundledCode): BundledProject {
  return { root, graphs: data.graphs, imports, libraryVersion };
}

/** Builds the project's UI components, unless `http.disable_ui` turns them off. */
export function buildComponents({ ui, root }: Project, { disabled }: Config['api']): ReturnType<typeof buildUi> {
  return buildUi(disabled.has('ui') ? [] : ui.modules, ui.shared, root);
}

/** Throws GRAPH_LOAD_FAILED or HIDE_FUNCTION_LOAD_FAILED for the first problem. */
export function failOnBrokenGraph(report: LoadReport): void {
  const [problem] = report.problems;
  if (problem === undefined) return;
  const { graphId, file, reason, stack } = problem;
  const error =
    graphId === null
      ? fail('HIDE_FUNCTION_LOAD_FAILED', { file, reason })
      : fail('GRAPH_LOAD_FAILED', { graphId, file, reason });
  error.stack = stack;
  throw error;
}
