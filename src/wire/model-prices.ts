import type { calcPrice } from '@pydantic/genai-prices';
import { NO_USAGE, type Usage } from '../domain/usage.js';
import type { TokenPrices } from './runs/spans.js';

const MILLION = 1_000_000;
const COST_DIGITS = 12;

/** Tokens of a model call. Input includes cached tokens; details that are unknown are 0. */
export interface TokenCounts {
  input: number;
  output: number;
  total: number;
  cacheRead: number;
  cacheWrite: number;
  inputAudio: number;
  outputAudio: number;
}

/** A call of a model that has ended. */
export interface ModelCall {
  /** Names of LangChain; null if the model does not say them. */
  provider: string | null;
  model: string | null;
  tokens: TokenCounts;
}

/**
 * Prices of model calls in US dollars, from a list that is part of the package. It is loaded with the first model call
 * of the thread, because that takes as long as a short run.
 */
class ModelPrices {
  #calculate: typeof calcPrice | null = null;
  #loading: Promise<void> | null = null;

  get isLoaded(): boolean {
    return this.#calculate !== null;
  }

  /** Never rejects: without the list there are no prices. */
  load(): Promise<void> {
    return (this.#loading ??= import('@pydantic/genai-prices').then(
      (library) => {
        this.#calculate = library.calcPrice;
      },
      () => undefined,
    ));
  }

  /** Tokens and costs of a call. Costs are null for a model without a known price. `own`: by model. */
  usageOf(call: ModelCall, own: Readonly<Record<string, TokenPrices>>): Usage {
    const { input, output, total } = call.tokens;
    const tokens = { promptTokens: input, completionTokens: output, totalTokens: total };
    return { ...NO_USAGE, ...tokens, ...this.#costOf(call, own) };
  }

  #costOf(call: ModelCall, own: Readonly<Record<string, TokenPrices>>): Partial<Usage> | null {
    const { provider, model, tokens } = call;
    if (model === null) return null;
    const prices = Object.hasOwn(own, model) ? own[model]! : null;
    if (prices !== null) return ownCost(tokens, prices);
    try {
      const cost = this.#calculate?.(listUsage(tokens), model, provider === null ? {} : { providerId: provider });
      if (cost == null) return null;
      return costs(cost.input_price, cost.output_price);
    } catch {
      // The counts contradict each other, such as more cached tokens than tokens.
      return null;
    }
  }
}

export const modelPrices = new ModelPrices();

function ownCost(tokens: TokenCounts, prices: TokenPrices): Partial<Usage> {
  const { input, output, cacheRead, cacheWrite } = tokens;
  const plain = Math.max(0, input - cacheRead - cacheWrite);
  const promptCost =
    (plain * prices.input +
      cacheRead * (prices.cacheRead ?? prices.input) +
      cacheWrite * (prices.cacheWrite ?? prices.input)) /
    MILLION;
  const completionCost = (output * prices.output) / MILLION;
  return costs(promptCost, completionCost);
}

/** Without the last digits, which are errors of binary fractions. */
function costs(prompt: number, completion: number): Partial<Usage> {
  const [promptCost, completionCost, totalCost] = [prompt, completion, prompt + completion].map((cost) =>
    Number(cost.toPrecision(COST_DIGITS)),
  );
  return { promptCost: promptCost!, completionCost: completionCost!, totalCost: totalCost! };
}

function listUsage({
  input,
  output,
  cacheRead,
  cacheWrite,
  inputAudio,
  outputAudio,
}: TokenCounts): Record<string, number> {
  const details = {
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    input_audio_tokens: inputAudio,
    output_audio_tokens: outputAudio,
  };
  return {
    input_tokens: input,
    output_tokens: output,
    ...Object.fromEntries(Object.entries(details).filter(([, count]) => count > 0)),
  };
}
