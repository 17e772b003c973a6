import { asText, parseJson } from '../../src/base/json/json.js';
import { runAt } from '../../src/store/evaluation/run-blocks.js';
import type { EvaluationRun } from '../../src/wire/evaluation/evaluation-run.js';
import type { ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import type { Reader } from '../../src/store/reader.js';
import { statusOf } from './facets.js';
import type { FilterSubject, FilterValue } from './filter.js';
import type { KeptRun } from './list-facts.js';
import { metadataOf } from './records-json.js';

/** A run as the subject of a filter. Data that is not in memory is read when the filter first needs it. */
export class RunSubject implements FilterSubject {
  readonly #reader: Reader;
  readonly #kept: KeptRun;
  readonly #experiment: ExperimentRecord;
  #stored: EvaluationRun | null = null;

  constructor(reader: Reader, kept: KeptRun, experiment: ExperimentRecord) {
    this.#reader = reader;
    this.#kept = kept;
    this.#experiment = experiment;
  }

  field(name: string): FilterValue | undefined {
    const run = this.#kept;
    switch (name) {
      case 'id':
        return run.runId;
      case 'trace_id':
        return run.traceId;
      case 'parent_run_id':
        return run.parentRunId;
      case 'session_id':
        return this.#experiment.experimentId;
      case 'reference_example_id':
        return run.exampleId;
      case 'name':
        return run.name;
      case 'run_type':
        return run.runType;
      case 'status':
        return statusOf(run);
      case 'is_root':
        return run.root;
      case 'start_time':
        return run.startUs;
      case 'end_time':
        return run.endUs;
      case 'first_token_time':
        return run.firstTokenUs;
      case 'latency':
        return run.endUs === null ? null : (run.endUs - run.startUs) / 1e6;
      case 'total_tokens':
        return run.totalTokens;
      case 'prompt_tokens':
        return run.promptTokens;
      case 'completion_tokens':
        return run.completionTokens;
      case 'total_cost':
        return run.totalCost;
      case 'prompt_cost':
        return run.promptCost;
      case 'completion_cost':
        return run.completionCost;
      case 'error':
        return run.failed ? (parseJson(this.#run.error!) as string) : null;
      case 'inputs':
        return textOf(this.#run.inputs);
      case 'outputs':
        return textOf(this.#run.outputs);
      case 'thread_id':
        return threadIdOf(this.metadata());
      default:
        return undefined;
    }
  }

  tags(): readonly string[] {
    const { tags } = this.#run;
    return tags === null ? [] : (parseJson(tags) as unknown[]).filter((tag) => typeof tag === 'string');
  }

  metadata(): Record<string, unknown> {
    return metadataOf(this.#run);
  }

  feedback(): KeptRun['feedback'] {
    return this.#kept.feedback;
  }

  text(): string {
    const { inputs, outputs, error } = this.#run;
    return [this.#kept.name, textOf(inputs), textOf(outputs), error === null ? null : (parseJson(error) as string)]
      .filter((part) => part !== null)
      .join('\n');
  }

  get #run(): EvaluationRun {
    return (this.#stored ??= runAt(this.#reader, this.#kept.place)!);
  }
}

/** The conversation that a run belongs to, according to its metadata. */
export function threadIdOf(metadata: Record<string, unknown>): string | null {
  for (const name of ['session_id', 'thread_id', 'conversation_id']) {
    if (Object.hasOwn(metadata, name) && typeof metadata[name] === 'string') return metadata[name];
  }
  return null;
}

function textOf(json: Uint8Array | null): string | null {
  return json === null ? null : asText(json);
}
