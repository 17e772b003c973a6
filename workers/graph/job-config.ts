import { asObject, isObject, parseJson, type JsonObject } from '../../src/base/json.js';
import type { ThreadJob } from '../../src/wire/messages.js';
import type { Library } from './library.js';

/** The job's config as the library names it; keys it does not know are handed on. */
export function libraryConfig(job: ThreadJob): JsonObject {
  const { recursion_limit: recursionLimit, run_name: runName, max_concurrency: maxConcurrency, configurable, ...rest } = parseJson(job.config) as JsonObject;
  return {
    ...rest,
    // Passing undefined would replace the graph's own limit by the default (agent-server.md, trap 26).
    ...(recursionLimit === undefined || recursionLimit === null ? {} : { recursionLimit }),
    ...(runName === undefined || runName === null ? {} : { runName }),
    ...(maxConcurrency === undefined || maxConcurrency === null ? {} : { maxConcurrency }),
    configurable: { ...asObject(configurable), ...asObject(parseJson(job.user)) },
    ...(job.context === null ? {} : { context: parseJson(job.context) }),
  };
}

/** A client's `{update, resume, goto}` as the library's command. */
export function commandOf(command: JsonObject, { langgraph: { Command, Send } }: Library): unknown {
  const { update, resume, goto } = command;
  const targets = goto === undefined || goto === null ? [] : Array.isArray(goto) ? (goto as unknown[]) : [goto];
  return new Command({
    ...(update === undefined || update === null ? {} : { update: update as never }),
    ...(resume === undefined || resume === null ? {} : { resume }),
    ...(targets.length === 0 ? {} : { goto: targets.map((target) => (isObject(target) ? new Send(String(target['node']), target['input']) : String(target))) as never }),
  });
}
