import { TOKEN_NAMES } from '../../src/domain/usage.js';
import { asObject, isObject, type JsonObject } from '../../src/base/json/json.js';
import type { TokenCounts } from '../../src/wire/model-prices.js';

/** What a model call reports of itself. */
export interface ModelReport {
  /** Null if it does not report tokens. */
  tokens: TokenCounts | null;
  /** The model that answered, which may be more exact than the one that was asked; null if unknown. */
  model: string | null;
}

/** Reads the message of the first generation, or what the provider reports beside it. */
export function reportOf(result: unknown): ModelReport {
  const { generations, llmOutput } = asObject(result);
  const first = Array.isArray(generations) ? ([generations[0]].flat()[0] as unknown) : undefined;
  const message = asObject(asObject(first)['message']);
  const reported = asObject(llmOutput);
  const { model_name: model, model: other } = asObject(message['response_metadata']);
  const name = [model, other].find((one) => typeof one === 'string' && one !== '');
  const places = [message['usage_metadata'], reported['tokenUsage'], reported['token_usage']];
  const usage = places.find(isObject);
  return { tokens: usage === undefined ? null : countsOf(usage), model: (name as string | undefined) ?? null };
}

function countsOf(usage: JsonObject): TokenCounts | null {
  const input = count(usage, TOKEN_NAMES.prompt);
  const output = count(usage, TOKEN_NAMES.completion);
  const total = count(usage, TOKEN_NAMES.total);
  if (input === null && output === null && total === null) return null;
  const [ofInput, ofOutput] = [asObject(usage['input_token_details']), asObject(usage['output_token_details'])];
  return {
    input: input ?? 0,
    output: output ?? 0,
    total: total ?? (input ?? 0) + (output ?? 0),
    cacheRead: count(ofInput, ['cache_read']) ?? 0,
    cacheWrite: count(ofInput, ['cache_creation']) ?? 0,
    inputAudio: count(ofInput, ['audio']) ?? 0,
    outputAudio: count(ofOutput, ['audio']) ?? 0,
  };
}

function count(place: JsonObject, names: readonly string[]): number | null {
  for (const name of names) {
    const value = place[name];
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return Math.round(value);
  }
  return null;
}
