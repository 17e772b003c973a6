import { describeThrown } from '../../src/base/thrown.js';
import { LIMITS } from '../../src/base/limits.js';
import type { Micros } from '../../src/base/micros.js';
import { dottedOrderOf } from '../../src/domain/dotted-order.js';
import { modelPrices, type ModelCall } from '../../src/wire/model-prices.js';
import type { TextRun } from '../../src/wire/evaluation/evaluation-run.js';
import { packSteps } from '../../src/wire/runs/trace-steps.js';
import { spanIdOf, type TraceJob } from '../../src/wire/runs/spans.js';
import { DIRECT } from './optimizations/callback-calls.js';
import type { Outbox } from './outbox.js';
import { reportOf } from './span-usage.js';
import type { HideFunction, StepValue } from './hide-function.js';
import { asTraceObject, SpanValues } from './span-values.js';
import { TraceTexts } from './trace-texts.js';
import type { WireJson } from './wire-json.js';

/** Steps with this tag are internals of the library. */
const HIDDEN_TAG = 'langsmith:hidden';
/** Name of a graph that was compiled without one. */
const UNNAMED_GRAPH = 'LangGraph';

interface SpanRecorderOptions {
  trace: TraceJob;
  runId: string;
  graphId: string;
  lease: number;
  attempt: number;
  outbox: Outbox;
  json: WireJson;
  /** Null: there is none. */
  hideFunction: HideFunction | null;
}

/** A step that has begun. */
interface OpenStep {
  /** Null for a step that is not recorded. */
  span: TextRun | null;
  /** What its children refer to: its own span, or that of the nearest recorded ancestor. */
  parent: TextRun | null;
  isSent: boolean;
  /** As a model call names them; null for other steps. */
  provider: string | null;
  model: string | null;
}

interface StepStart {
  id: string;
  parentId: string | undefined;
  name: string;
  runType: string;
  inputs: object;
  tags: readonly string[] | undefined;
  metadata: Record<string, unknown> | undefined;
  /** Parameters of a model call. */
  parameters?: Record<string, unknown>;
}

interface StepEnd {
  outputs?: object;
  error?: unknown;
  /** A model call, with its tokens. */
  call?: ModelCall;
}

/** How the library describes a component, as far as it is used here. */
interface Component {
  id?: readonly string[];
  name?: string;
}

type Metadata = Record<string, unknown>;

/** Arguments of LangChain's callbacks at the start of a chain, a model call, and a call of a tool or a retriever. */
type ChainStart = [
  ...[chain: Component | undefined, inputs: unknown, id: string, parentId?: string],
  ...[tags?: string[], metadata?: Metadata, runType?: string, runName?: string],
];
type ModelStart<T> = [
  ...[model: Component | undefined, prompts: T, id: string, parentId?: string],
  ...[extraParams?: Record<string, unknown>, tags?: string[], metadata?: Metadata, runName?: string],
];
type CallStart = [
  ...[called: Component | undefined, input: string, id: string, parentId?: string],
  ...[tags?: string[], metadata?: Metadata, runName?: string],
];

/**
 * Records the steps of a run through the library's callbacks, beside any callbacks of the graph. Its methods have the
 * names and arguments of LangChain's callback handlers. It sends what it has a few times a second, and when the run has
 * ended.
 */
export class SpanRecorder {
  readonly name = 'threadmill_spans';
  /** Called at once, in the order of the steps. */
  readonly awaitHandlers = true;
  readonly raiseError = false;
  readonly [DIRECT] = true;
  readonly #options: SpanRecorderOptions;
  readonly #values: SpanValues;
  readonly #steps = new Map<string, OpenStep>();
  #changed = new Map<string, TextRun>();
  /** Of the changed steps. */
  #texts = new TraceTexts();
  #root: TextRun | null = null;
  /** Number of recorded steps, and of those beyond the maximum since the last message. */
  #count = 0;
  #leftOut = 0;
  /** Empty before the root begins. */
  #rootMetadata: Record<string, unknown> = {};
  #timer: NodeJS.Timeout | null = null;
  /** Model calls that wait for the list of prices. */
  readonly #unpriced = new Set<Promise<void>>();

  constructor(options: SpanRecorderOptions) {
    this.#options = options;
    this.#values = new SpanValues(options.json, options.trace.settings, options.hideFunction);
  }

  /** The library copies handlers; the steps of all copies belong together. */
  copy(): this {
    return this;
  }

  /** Null if no model call waits for its price. */
  get pricing(): Promise<unknown> | null {
    return this.#unpriced.size === 0 ? null : Promise.all(this.#unpriced);
  }

  /**
   * Sends everything. Steps that have not ended are closed by the front thread. Flush the outbox before anything is
   * awaited: it holds bytes that the next recorder overwrites.
   */
  finish(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#send();
  }

  handleChainStart(...[chain, inputs, id, parentId, tags, metadata, , runName]: ChainStart): void {
    const name = runName ?? nameOf(chain);
    this.#begin({
      id,
      parentId,
      name: name === UNNAMED_GRAPH && parentId === undefined ? this.#options.graphId : name,
      runType: 'chain',
      inputs: asTraceObject(inputs, 'input'),
      tags,
      metadata,
    });
  }

  handleChainEnd(outputs: unknown, id: string): void {
    this.#end(id, { outputs: asTraceObject(outputs, 'output') });
  }

  handleChainError(error: unknown, id: string): void {
    this.#end(id, { error });
  }

  handleLLMStart(...[model, prompts, id, parentId, extraParams, tags, metadata, runName]: ModelStart<string[]>): void {
    const inputs = { prompts };
    this.#beginModelCall({ id, parentId, name: runName ?? nameOf(model), inputs, tags, metadata }, extraParams);
  }

  handleChatModelStart(
    ...[model, messages, id, parentId, extraParams, tags, metadata, runName]: ModelStart<unknown[][]>
  ): void {
    const inputs = { messages };
    this.#beginModelCall({ id, parentId, name: runName ?? nameOf(model), inputs, tags, metadata }, extraParams);
  }

  handleLLMNewToken(_token: string, _index: unknown, id: string): void {
    const span = this.#steps.get(id)?.span;
    if (span != null) span.firstTokenUs ??= nowUs();
  }

  handleLLMEnd(result: unknown, id: string): void {
    const { generations, llmOutput } = result as { generations?: unknown; llmOutput?: unknown };
    const outputs = { generations, ...(llmOutput === undefined ? {} : { llm_output: llmOutput }) };
    const { tokens, model } = reportOf(result);
    const step = this.#steps.get(id);
    const call =
      tokens === null || step === undefined
        ? {}
        : { call: { provider: step.provider, model: model ?? step.model, tokens } };
    this.#end(id, { outputs, ...call });
  }

  handleLLMError(error: unknown, id: string): void {
    this.#end(id, { error });
  }

  handleToolStart(...[tool, input, id, parentId, tags, metadata, runName]: CallStart): void {
    const inputs = { input };
    this.#begin({ id, parentId, name: runName ?? nameOf(tool), runType: 'tool', inputs, tags, metadata });
  }

  handleToolEnd(output: unknown, id: string): void {
    this.#end(id, { outputs: { output } });
  }

  handleToolError(error: unknown, id: string): void {
    this.#end(id, { error });
  }

  handleRetrieverStart(...[retriever, query, id, parentId, tags, metadata, runName]: CallStart): void {
    const inputs = { query };
    this.#begin({ id, parentId, name: runName ?? nameOf(retriever), runType: 'retriever', inputs, tags, metadata });
  }

  handleRetrieverEnd(documents: unknown, id: string): void {
    this.#end(id, { outputs: { documents } });
  }

  handleRetrieverError(error: unknown, id: string): void {
    this.#end(id, { error });
  }

  #beginModelCall(start: Omit<StepStart, 'runType' | 'parameters'>, extraParams?: Record<string, unknown>): void {
    void modelPrices.load();
    const parameters = extraParams?.['invocation_params'] as Record<string, unknown> | undefined;
    this.#begin({ ...start, runType: 'llm', ...(parameters === undefined ? {} : { parameters }) });
  }

  #begin(start: StepStart): void {
    const caller = start.parentId === undefined ? undefined : this.#steps.get(start.parentId);
    const parent = caller?.parent ?? this.#root;
    const isHidden = start.tags?.includes(HIDDEN_TAG) === true;
    if (parent !== null && (isHidden || this.#count >= LIMITS.traceStepsMax)) {
      if (!isHidden) this.#leftOut += 1;
      this.#steps.set(start.id, { span: null, parent, isSent: false, provider: null, model: null });
      return;
    }
    const { runId, lease, trace } = this.#options;
    // An earlier attempt has sent how the run began.
    const isSent = parent === null && trace.startUs !== null;
    const startUs = isSent ? trace.startUs! : nowUs();
    const spanId = spanIdOf(runId, lease, this.#count);
    this.#count += 1;
    // Listed one by one: a spread takes three times as long.
    const span: TextRun = {
      runId: spanId,
      traceId: runId,
      parentRunId: parent === null ? null : parent.runId,
      name: start.name,
      runType: start.runType,
      startUs,
      endUs: null,
      dottedOrder: `${parent === null ? '' : `${parent.dottedOrder}.`}${dottedOrderOf(startUs, spanId)}`,
      exampleId: null,
      error: null,
      firstTokenUs: null,
      receivedUs: startUs,
      inputs: this.#value(start.inputs, { kind: 'inputs', name: start.name, runType: start.runType }),
      outputs: null,
      extra: this.#extraOf(start, parent),
      tags: start.tags === undefined || start.tags.length === 0 ? null : JSON.stringify(start.tags),
      events: null,
      serialized: null,
      attachments: null,
      promptTokens: null,
      completionTokens: null,
      totalTokens: null,
      promptCost: null,
      completionCost: null,
      totalCost: null,
    };
    this.#root ??= span;
    const { ls_provider: provider, ls_model_name: model } = start.metadata ?? {};
    this.#steps.set(start.id, { span, parent: span, isSent, provider: textOf(provider), model: textOf(model) });
    if (!isSent) this.#change(start.id, span);
  }

  /** Metadata that the root has is not repeated, except the thread, by which steps are found. */
  #extraOf({ metadata = {}, parameters }: StepStart, parent: TextRun | null): string {
    const { trace, attempt } = this.#options;
    const known = this.#rootMetadata;
    if (parent === null) this.#rootMetadata = metadata;
    const own: Record<string, unknown> = {
      thread_id: trace.hasThread ? this.#rootMetadata['thread_id'] : undefined,
    };
    if (parent === null && trace.codeVersion != null) own['code_version'] = trace.codeVersion;
    if (attempt > 1) own['run_attempt'] = attempt;
    return this.#values.extra({ metadata, known, own, parameters });
  }

  #end(id: string, { outputs, error, call }: StepEnd): void {
    const step = this.#steps.get(id);
    this.#steps.delete(id);
    if (step?.span == null) return;
    const { prices } = this.#values.settings;
    const { span, isSent } = step;
    // Not a copy, unless the step is still to be sent as it began: a step has many members, and most end first.
    const ended = span;
    ended.endUs = Math.max(span.startUs, nowUs());
    // The rest is stored already.
    if (isSent) ended.inputs = ended.tags = ended.extra = null;
    const answer = isSignal(error) ? { interrupts: error.interrupts } : null;
    const shown = answer?.interrupts === undefined ? outputs : { __interrupt__: answer.interrupts };
    if (shown !== undefined)
      ended.outputs = this.#value(shown, { kind: 'outputs', name: span.name, runType: span.runType });
    if (error !== undefined && answer === null) ended.error = JSON.stringify(errorText(error));
    if (call !== undefined && !modelPrices.isLoaded) {
      this.#changed.delete(id);
      // Other steps may be sent before.
      ended.inputs = this.#withoutMarks(ended.inputs);
      ended.outputs = this.#withoutMarks(ended.outputs);
      const priced = modelPrices.load().then(() => {
        this.#unpriced.delete(priced);
        this.#change(id, Object.assign(ended, modelPrices.usageOf(call, prices)));
      });
      this.#unpriced.add(priced);
      return;
    }
    if (call !== undefined) Object.assign(ended, modelPrices.usageOf(call, prices));
    this.#change(id, ended);
  }

  #value(value: object, step: StepValue): string | null {
    return this.#values.value(value, step, this.#texts);
  }

  #withoutMarks(json: TextRun['inputs']): TextRun['inputs'] {
    return typeof json === 'string' ? this.#texts.expand(json) : json;
  }

  #change(id: string, span: TextRun): void {
    this.#changed.set(id, span);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#send();
      this.#options.outbox.flush();
    }, LIMITS.spanDelayMs).unref();
  }

  #send(): void {
    if (this.#changed.size === 0) return;
    const steps = packSteps([...this.#changed.values()], this.#texts.texts);
    this.#changed = new Map();
    if (this.#texts.count > 0) this.#texts = new TraceTexts(this.#texts);
    for (const step of this.#steps.values()) step.isSent = true;
    this.#options.outbox.send({ type: 'trace.steps', steps, leftOut: this.#leftOut });
    this.#leftOut = 0;
  }
}

/** Signals of the library are not errors: an interrupt, or a command for a graph further up. */
function isSignal(error: unknown): error is { interrupts?: unknown[] } {
  return typeof error === 'object' && error !== null && (error as { is_bubble_up?: unknown }).is_bubble_up === true;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function errorText(error: unknown): string {
  const { name, message, stack } = describeThrown(error);
  const text = `${name}: ${message}`;
  return stack === null || stack === '' ? text : stack.includes(message) ? stack : `${text}\n\n${stack}`;
}

function nameOf(component: Component | undefined): string {
  return component?.name ?? component?.id?.at(-1) ?? 'step';
}

const { timeOrigin } = performance;

function nowUs(): Micros {
  return Math.round((timeOrigin + performance.now()) * 1_000);
}
