import type { JsonObject } from '../../src/base/json/json.js';

/** A config of the wire as the library names it; keys it does not know are handed on. */
export function libraryConfig({
  recursion_limit: recursionLimit,
  run_name: runName,
  max_concurrency: maxConcurrency,
  ...rest
}: JsonObject): JsonObject {
  return {
    ...rest,
    // Passing undefined would replace the graph's own limit by the default (agent-server.md, trap 26).
    ...(recursionLimit === undefined || recursionLimit === null ? {} : { recursionLimit }),
    ...(runName === undefined || runName === null ? {} : { runName }),
    ...(maxConcurrency === undefined || maxConcurrency === null ? {} : { maxConcurrency }),
  };
}
