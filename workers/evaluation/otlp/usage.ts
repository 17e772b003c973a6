import { asObject, type JsonObject } from '../../../src/base/json/json.js';
import { NO_USAGE, type Usage } from '../../../src/domain/usage.js';
import { modelPrices } from '../../../src/wire/model-prices.js';
import type { TokenPrices } from '../../../src/wire/runs/spans.js';
import { parsedObject, type Attributes } from './attributes.js';

const INPUT = [
  ...['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt', 'llm.usage.prompt_tokens'],
  ...['ai.usage.inputTokens', 'ai.usage.promptTokens'],
];
const OUTPUT = [
  ...['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.token_count.completion'],
  ...['llm.usage.completion_tokens', 'ai.usage.outputTokens', 'ai.usage.completionTokens'],
];
const TOTAL = [
  ...['gen_ai.usage.total_tokens', 'llm.token_count.total', 'llm.usage.total_tokens', 'ai.usage.totalTokens'],
  'ai.usage.tokens',
];
/** Names of the details in `usage_metadata`, and the attributes that hold them. */
const INPUT_DETAILS: Readonly<Record<string, readonly string[]>> = {
  cache_read: [
    ...['gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_read_input_tokens', 'ai.usage.cachedInputTokens'],
    'llm.token_count.prompt_details.cache_read',
  ],
  cache_creation: [
    ...['gen_ai.usage.cache_creation.input_tokens', 'gen_ai.usage.cache_creation_input_tokens'],
    ...['llm.token_count.prompt_details.cache_write'],
  ],
  audio: ['llm.token_count.prompt_details.audio'],
};
const OUTPUT_DETAILS: Readonly<Record<string, readonly string[]>> = {
  reasoning: [
    ...['gen_ai.usage.reasoning.output_tokens', 'gen_ai.usage.reasoning_tokens', 'ai.usage.reasoningTokens'],
    'llm.token_count.completion_details.reasoning',
  ],
  audio: ['llm.token_count.completion_details.audio'],
};

/** Tokens of a span, as the `usage_metadata` of LangChain. Null if it has none. */
export function usageMetadataOf(attributes: Attributes): JsonObject | null {
  const sent = parsedObject(attributes.take('langsmith.usage_metadata'));
  const input = attributes.takeNumber(...INPUT);
  const output = attributes.takeNumber(...OUTPUT);
  const total = attributes.takeNumber(...TOTAL);
  const ofInput = detailsOf(attributes, INPUT_DETAILS, 'gen_ai.usage.input_token_details');
  const ofOutput = detailsOf(attributes, OUTPUT_DETAILS, 'gen_ai.usage.output_token_details');
  const costs = {
    input_cost: attributes.takeNumber('llm.cost.prompt'),
    output_cost: attributes.takeNumber('llm.cost.completion'),
    total_cost: attributes.takeNumber('llm.cost.total', 'gen_ai.usage.cost', 'gen_ai.usage.total_cost'),
  };
  if (sent !== null) return sent;
  const known = Object.entries(costs).filter(([, cost]) => cost !== null);
  if (input === null && output === null && total === null && known.length === 0) return null;
  return {
    ...(input === null ? {} : { input_tokens: input }),
    ...(output === null ? {} : { output_tokens: output }),
    ...(total === null && input === null && output === null
      ? {}
      : { total_tokens: total ?? (input ?? 0) + (output ?? 0) }),
    ...(ofInput === null ? {} : { input_token_details: ofInput }),
    ...(ofOutput === null ? {} : { output_token_details: ofOutput }),
    ...Object.fromEntries(known),
  };
}

function detailsOf(
  attributes: Attributes,
  names: Readonly<Record<string, readonly string[]>>,
  whole: string,
): JsonObject | null {
  const found: JsonObject = { ...parsedObject(attributes.take(whole)) };
  for (const [name, places] of Object.entries(names)) {
    const count = attributes.takeNumber(...places);
    if (count !== null) found[name] ??= count;
  }
  return Object.keys(found).length === 0 ? null : found;
}

/** How the conventions name providers, and how the list of prices does. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'aws.bedrock': 'aws',
  'az.ai.openai': 'azure',
  'az.ai.inference': 'azure',
  'azure.ai.openai': 'azure',
  'azure.ai.inference': 'azure',
  'gcp.gemini': 'google',
  'gcp.vertex_ai': 'google',
  'gcp.gen_ai': 'google',
  vertex_ai: 'google',
  gemini: 'google',
  mistral_ai: 'mistral',
  mistralai: 'mistral',
  xai: 'x-ai',
  x_ai: 'x-ai',
};

/** A model call as far as its price depends on it. */
export interface PricedCall {
  provider: string | null;
  model: string | null;
  usage: JsonObject;
  prices: Readonly<Record<string, TokenPrices>>;
}

/** Tokens and costs of a run. Costs that the sender states are kept; others come from the list of prices. */
export function pricedUsage({ provider, model, usage, prices }: PricedCall): Usage {
  const count = (name: string): number | null => {
    const value = usage[name];
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
  };
  const tokens = (name: string): number | null => {
    const value = count(name);
    return value === null ? null : Math.round(value);
  };
  const [input, output] = [tokens('input_tokens'), tokens('output_tokens')];
  const total = tokens('total_tokens') ?? (input === null && output === null ? null : (input ?? 0) + (output ?? 0));
  const found: Usage = { ...NO_USAGE, promptTokens: input, completionTokens: output, totalTokens: total };
  const [promptCost, completionCost] = [count('input_cost'), count('output_cost')];
  const stated =
    count('total_cost') ??
    (promptCost === null && completionCost === null ? null : (promptCost ?? 0) + (completionCost ?? 0));
  if (stated !== null) return { ...found, promptCost, completionCost, totalCost: stated };
  if (input === null && output === null) return found;
  const [ofInput, ofOutput] = [asObject(usage['input_token_details']), asObject(usage['output_token_details'])];
  const detail = (details: JsonObject, name: string): number =>
    typeof details[name] === 'number' && details[name] > 0 ? Math.round(details[name]) : 0;
  const call = {
    model,
    tokens: {
      input: input ?? 0,
      output: output ?? 0,
      total: total ?? 0,
      cacheRead: detail(ofInput, 'cache_read'),
      cacheWrite: detail(ofInput, 'cache_creation'),
      inputAudio: detail(ofInput, 'audio'),
      outputAudio: detail(ofOutput, 'audio'),
    },
  };
  const named = provider === null ? null : (PROVIDERS[provider.toLowerCase()] ?? provider);
  const priced = modelPrices.usageOf({ ...call, provider: named }, prices);
  // A name that the list does not have says nothing of the model.
  const costs =
    priced.totalCost === null && named !== null ? modelPrices.usageOf({ ...call, provider: null }, prices) : priced;
  return { ...found, promptCost: costs.promptCost, completionCost: costs.completionCost, totalCost: costs.totalCost };
}
