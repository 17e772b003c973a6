import { asObject, isObject, parseJson, type JsonObject } from '../../src/base/json/json.js';
import type { ThreadJob } from '../../src/wire/runs/messages.js';
import { libraryConfig } from './library-config.js';
import type { Library } from './library.js';

/** The job's config with the library's key names, including the caller and the context. */
export function jobConfig(job: ThreadJob): JsonObject {
  const { configurable, ...config } = libraryConfig(parseJson(job.config) as JsonObject);
  return {
    ...config,
    configurable: { ...asObject(configurable), ...asObject(parseJson(job.user)) },
    ...(job.context === null ? {} : { context: parseJson(job.context) }),
  };
}

/** Converts a client's `{update, resume, goto}` to a command of the library. */
export function commandOf(command: JsonObject, { langgraph: { Command, Send } }: Library): unknown {
  const { update, resume, goto } = command;
  const targets = goto === undefined || goto === null ? [] : Array.isArray(goto) ? (goto as unknown[]) : [goto];
  return new Command({
    ...(update === undefined || update === null ? {} : { update: update as never }),
    ...(resume === undefined || resume === null ? {} : { resume }),
    ...(targets.length === 0
      ? {}
      : {
          goto: targets.map((target) =>
            isObject(target) ? new Send(String(target['node']), target['input']) : String(target),
          ) as never,
        }),
  });
}
