import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log/log.js';
import type { Spans } from '../../base/spans.js';
import type { Stores } from '../../store/stores.js';
import type { EvaluationContext } from '../evaluation/context.js';
import type { TimeSlicer } from '../time-slicer.js';
import { AnswerRecorder } from './answer-recorder.js';
import { TraceExporter } from './trace-exporter.js';
import { TraceProjects } from './trace-projects.js';
import { TraceRecorder } from './trace-recorder.js';
import { TraceRetention } from './trace-retention.js';
import type { TraceSettings } from './trace-settings.js';
import { TraceWriter } from './trace-writer.js';

/**
 * Builds what records runs as traces, and what deletes old ones. Without settings, runs are not recorded.
 */
export function openTraces(
  settings: TraceSettings | null,
  parts: {
    evaluation: EvaluationContext;
    stores: Stores;
    timeSlicer: TimeSlicer;
    clock: Clock;
    log: Logger;
    /** Null: no collector is configured. */
    spans: Spans | null;
  },
): { recorder: TraceRecorder; retention: TraceRetention } {
  const { evaluation, stores, log, spans } = parts;
  const projects = new TraceProjects(evaluation);
  const writer = new TraceWriter(evaluation, projects, log);
  const exporter =
    settings === null || spans === null || settings.export === 'none'
      ? null
      : new TraceExporter(spans.steps, settings.export === 'content');
  const answers =
    settings?.answers === true ? new AnswerRecorder({ evaluation, runs: stores.runs, writer, log }) : null;
  const { assistants } = stores;
  const recorder = new TraceRecorder({ ...parts, settings, projects, writer, exporter, assistants, answers });
  return { recorder, retention: new TraceRetention({ ...parts, settings }) };
}
