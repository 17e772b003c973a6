import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { fail, ThreadmillError } from '../base/errors.js';
import { readProject, type Project } from '../config/config.js';
import { keysThatNeedRestart } from '../config/restart-needed.js';
import type { CodeDeployer, Deployed } from '../services/code/code-deployer.js';

export interface DeploymentParts {
  /** The project that the server was started with. */
  started: Project;
  reload: (project: Project) => Promise<unknown>;
  /** Hash of a graph's code in use; undefined if there is no such graph. */
  versionOf: (graphId: string) => string | undefined;
  graphIds: () => readonly string[];
}

/** Loads code from the server's disk: that of its own project again, or that of a folder that the project allows. */
export class Deployment implements CodeDeployer {
  readonly #parts: DeploymentParts;
  /** The langgraph.json in use. */
  #file: string;
  /** One after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: DeploymentParts) {
    this.#parts = parts;
    this.#file = parts.started.file;
  }

  deploy(config: string | null): Promise<Deployed> {
    const deployed = this.#last.then(() => this.#deploy(config));
    this.#last = deployed.catch(() => undefined);
    return deployed;
  }

  async #deploy(config: string | null): Promise<Deployed> {
    const { started, reload } = this.#parts;
    const file = config ?? this.#file;
    this.#checkPlace(file);
    const before = this.#versions();
    let project: Project;
    try {
      project = readProject(file, process.env);
      await reload(project);
    } catch (error) {
      if (error instanceof ThreadmillError) throw fail('DEPLOY_FAILED', { reason: error.message }, error);
      throw error;
    }
    this.#file = file;
    const after = this.#versions();
    return {
      config: file,
      graphs: [...new Set([...before.keys(), ...after.keys()])].sort().map((graphId) => ({
        graphId,
        before: before.get(graphId) ?? null,
        after: after.get(graphId) ?? null,
      })),
      restartKeys: keysThatNeedRestart(started, project),
    };
  }

  /** Throws DEPLOY_REFUSED. Whoever may deploy may not load any file of the machine. */
  #checkPlace(file: string): void {
    const { started } = this.#parts;
    if (!isAbsolute(file)) throw fail('DEPLOY_REFUSED', { reason: `${file} is not an absolute path.` });
    const folder = dirname(resolve(file));
    const allowed = [...started.codeVersions.deployFrom, started.root];
    if (allowed.some((one) => folder === one || folder.startsWith(one.endsWith(sep) ? one : one + sep))) return;
    throw fail('DEPLOY_REFUSED', {
      reason:
        `${folder} is not one of the folders of "code_versions": {"deploy_from": [...]} in ${started.file}. ` +
        'Add it, or put the new code in place of the old one.',
    });
  }

  #versions(): Map<string, string> {
    const { graphIds, versionOf } = this.#parts;
    return new Map(
      graphIds().flatMap((graphId): [string, string][] => {
        const version = versionOf(graphId);
        return version === undefined ? [] : [[graphId, version]];
      }),
    );
  }
}
