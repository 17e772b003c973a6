import type { Run } from '@langchain/langgraph-sdk';
import type { JsonSchema } from '../../schema/model.js';
import { snakeCaseKeys, type CopiedRequest } from '../../shared/request-snippets.js';
import { runRequest } from '../../shared/run-request.js';
import { inputToSend } from '../../schema/chat-input.js';
import { runPayload, type RunOptionValues } from './options.js';

/** What the form of the page would start. */
interface RunForm {
  schema: JsonSchema;
  input: unknown;
  options: RunOptionValues;
  /** The person has entered something since the page was opened. */
  isTouched: boolean;
}

/**
 * The run of the form as a request to copy, or that of the run on the page while the form has none. `thread`: an id,
 * `new`, or null without a thread.
 */
export function copiedRun(
  assistant: string | null,
  thread: string | null,
  form: RunForm,
  shown: Run | null,
): CopiedRequest | null {
  if (assistant === null) return null;
  const recorded = shown === null ? null : recordedBody(shown);
  const body = (form.isTouched ? null : recorded) ?? formBody(form) ?? recorded;
  return body === null ? null : runRequest(assistant, thread, body);
}

/** Null if the form has no valid input. */
function formBody({ schema, input, options }: RunForm): Record<string, unknown> | null {
  try {
    return { input: inputToSend(schema, input), ...snakeCaseKeys(runPayload(options)) };
  } catch {
    return null;
  }
}

interface RecordedKwargs {
  config?: { configurable?: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;
  subgraphs?: unknown;
  resumable?: unknown;
  [name: string]: unknown;
}

const KEPT = ['input', 'command', 'context', 'stream_mode', 'interrupt_before', 'interrupt_after', 'durability'];
/** Set by the server for each run. */
const SERVER_SET = /^(?:langgraph_.*|(?:run|thread|graph|assistant)_id)$/;

/** What started a run, without what the server added. */
function recordedBody(run: Run): Record<string, unknown> | null {
  const { kwargs } = run as { kwargs?: RecordedKwargs };
  if (kwargs === undefined) return null;
  const { metadata: _added, configurable = {}, ...config } = kwargs.config ?? {};
  const own = Object.fromEntries(Object.entries(configurable).filter(([name]) => !SERVER_SET.test(name)));
  const ownConfig = { ...config, ...(Object.keys(own).length === 0 ? {} : { configurable: own }) };
  const kept = KEPT.filter((name) => kwargs[name] !== null && kwargs[name] !== undefined);
  return {
    ...Object.fromEntries(kept.map((name) => [name, kwargs[name]])),
    stream_subgraphs: kwargs.subgraphs === true,
    stream_resumable: kwargs.resumable === true,
    multitask_strategy: run.multitask_strategy,
    ...(Object.keys(ownConfig).length === 0 ? {} : { config: ownConfig }),
  };
}
