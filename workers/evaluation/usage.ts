import { asObject, isObject, parseJson, type JsonBytes, type JsonObject } from '../../src/base/json/json.js';
import { parseMicros } from '../../src/base/micros.js';
import { NO_USAGE, TOKEN_NAMES, type Usage } from '../../src/domain/usage.js';
import { metadataOf } from './records-json.js';

/**
 * Token usage and costs of a model call. Integrations put them in different places: the metadata, the outputs,
 * or a message in the outputs.
 */
export function usageOf(outputs: JsonBytes | null, extra: JsonBytes | null): Usage {
  const out = outputs === null ? {} : asObject(parseJson(outputs));
  const metadata = metadataOf({ extra });
  for (const place of [
    metadata['usage_metadata'],
    out['usage_metadata'],
    messageOf(out)['usage_metadata'],
    asObject(out['llm_output'])['token_usage'],
    asObject(out['llm_output'])['tokenUsage'],
    out['usage'],
  ]) {
    if (!isObject(place)) continue;
    const promptTokens = count(place, TOKEN_NAMES.prompt);
    const completionTokens = count(place, TOKEN_NAMES.completion);
    const promptCost = number(place['input_cost']);
    const completionCost = number(place['output_cost']);
    return {
      promptTokens,
      completionTokens,
      totalTokens: count(place, TOKEN_NAMES.total) ?? sum(promptTokens, completionTokens),
      promptCost,
      completionCost,
      totalCost: number(place['total_cost']) ?? sum(promptCost, completionCost),
    };
  }
  return NO_USAGE;
}

/** The message of the first generation, either plain or in LangChain's serialized form. */
function messageOf(outputs: JsonObject): JsonObject {
  const generations = outputs['generations'];
  const first = Array.isArray(generations)
    ? Array.isArray(generations[0])
      ? (generations[0][0] as unknown)
      : (generations[0] as unknown)
    : undefined;
  const message = asObject(asObject(first)['message'] ?? outputs['message']);
  return asObject(message['kwargs'] ?? message);
}

function count(place: JsonObject, names: readonly string[]): number | null {
  for (const name of names) {
    const value = number(place[name]);
    if (value !== null) return Math.round(value);
  }
  return null;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function sum(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}

/** The time of the first token: the earliest `new_token` event. */
export function firstTokenOf(events: JsonBytes | null): number | null {
  if (events === null) return null;
  let first: number | null = null;
  for (const event of parseJson(events) as unknown[]) {
    const { name, time } = asObject(event);
    const us = name === 'new_token' && typeof time === 'string' ? parseMicros(time) : null;
    if (us !== null && (first === null || us < first)) first = us;
  }
  return first;
}
