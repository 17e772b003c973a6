import { AssistantCreate } from '../../schemas/compiled/validators.js';
import { fail } from '../base/errors.js';
import { asObject, isObject } from '../base/json/json.js';
import { problemsOf } from '../base/request-problems.js';
import type { AssistantDefaults } from '../services/assistants/system-assistants.js';

/** Reads `{graph: {context, …config}}`. Throws CONFIG_INVALID, which names the graph and the place. */
export function readAssistantDefaults(
  text: string | undefined,
  graphIds: readonly string[],
): ReadonlyMap<string, AssistantDefaults> {
  const defaults = new Map<string, AssistantDefaults>();
  if (text === undefined || text.trim() === '') return defaults;
  const problem = (what: string): Error => fail('CONFIG_INVALID', { file: 'LANGGRAPH_CONFIG', problem: what });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw problem(`not valid JSON: ${(error as Error).message}`);
  }
  if (!isObject(json))
    throw problem(
      'must be a JSON object that maps graph names to configurations, such as {"agent": {"configurable": {"model": "small"}}}.',
    );
  for (const [graphId, value] of Object.entries(json)) {
    if (!graphIds.includes(graphId))
      throw problem(
        `${graphId}: the configuration has no graph with this name. The graphs are: ${graphIds.join(', ')}.`,
      );
    if (!isObject(value)) throw problem(`${graphId}: must be an object.`);
    const { context, ...config } = value;
    const body = { graph_id: graphId, config, context };
    if (!AssistantCreate(body)) {
      const [found] = problemsOf(AssistantCreate.errors ?? []);
      const place = found!.loc[0] === 'config' ? found!.loc.slice(1) : found!.loc;
      throw problem(`${[graphId, ...place].join('.')}: ${found!.msg}.`);
    }
    defaults.set(graphId, { config, context: asObject(context) });
  }
  return defaults;
}
