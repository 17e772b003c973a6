import type { JsonObject } from '../../src/base/json/json.js';

/** Converts a config from the wire to the library's key names. Unknown keys are kept. */
export function libraryConfig({
  recursion_limit: recursionLimit,
  run_name: runName,
  max_concurrency: maxConcurrency,
  ...rest
}: JsonObject): JsonObject {
  return {
    ...rest,
    // Passing undefined would replace the graph's own limit with the default (agent-server.md, trap 26).
    ...(recursionLimit === undefined || recursionLimit === null ? {} : { recursionLimit }),
    ...(runName === undefined || runName === null ? {} : { runName }),
    ...(maxConcurrency === undefined || maxConcurrency === null ? {} : { maxConcurrency }),
  };
}
