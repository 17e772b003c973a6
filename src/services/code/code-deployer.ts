import { shortVersion } from '../../domain/code-version.js';

/** What a deployment has changed. */
export interface Deployed {
  /** The langgraph.json that is in use now. */
  config: string;
  /** Hashes of each graph's code. Null: the graph did not exist, or does not exist any more. */
  graphs: { graphId: string; before: string | null; after: string | null }[];
  /** Keys of langgraph.json whose changes need a restart. */
  restartKeys: readonly string[];
}

/** Loads other code into the running server. */
export interface CodeDeployer {
  /**
   * `config`: absolute path of a langgraph.json; null: the one in use. Everything is loaded before anything is
   * exchanged. Throws DEPLOY_REFUSED and DEPLOY_FAILED, and then nothing has changed.
   */
  deploy(config: string | null): Promise<Deployed>;
}

/** In API form. */
export function deployedJson({ config, graphs, restartKeys }: Deployed): object {
  const shown = (hash: string | null): string | null => (hash === null ? null : shortVersion(hash));
  return {
    config,
    graphs: graphs.map(({ graphId, before, after }) => ({
      graph_id: graphId,
      before: shown(before),
      version: shown(after),
      changed: before !== after,
    })),
    restart_needed: restartKeys,
  };
}
