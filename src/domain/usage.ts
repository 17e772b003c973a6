/** Token counts and costs of a run of a trace. The order is part of the stored format of runs. */
export const USAGE_FIELDS = [
  'promptTokens',
  'completionTokens',
  'totalTokens',
  'promptCost',
  'completionCost',
  'totalCost',
] as const;

export type UsageField = (typeof USAGE_FIELDS)[number];

/** Names under which integrations report tokens; the first one that is there counts. */
export const TOKEN_NAMES = {
  prompt: ['input_tokens', 'prompt_tokens', 'promptTokens'],
  completion: ['output_tokens', 'completion_tokens', 'completionTokens'],
  total: ['total_tokens', 'totalTokens'],
} as const;

/** Null means unknown. */
export type Usage = Record<UsageField, number | null>;

export const NO_USAGE: Readonly<Usage> = {
  promptTokens: null,
  completionTokens: null,
  totalTokens: null,
  promptCost: null,
  completionCost: null,
  totalCost: null,
};
