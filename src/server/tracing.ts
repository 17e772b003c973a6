/**
 * The one place that knows OpenTelemetry, with step-queue.ts. Loaded only when a collector is configured (P12). Spans
 * wait in a bounded queue and are sent in batches: a collector that does not answer costs spans, never requests or
 * memory.
 */
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type SpanContext,
} from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log/log.js';
import type { OpenSpan, Spans } from '../base/spans.js';
import { VERSION } from '../base/version.js';
import type { SamplerOptions, TracingOptions } from '../config/tracing.js';
import { StepQueue } from './step-queue.js';

export interface Tracing extends Spans {
  /** Sends what is left, as far as that is quickly done. */
  close(): Promise<void>;
}

const KINDS = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL } as const;

export async function openTracing(options: TracingOptions, log: Logger): Promise<Tracing> {
  tellProblems(log);
  const resource = resourceFromAttributes({ 'service.version': VERSION, ...options.resource });
  const steps = new StepQueue(await exporterOf(options), resource);
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(options.sampler),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: await exporterOf(options),
        maxQueueSize: LIMITS.spansQueuedMax,
        maxExportBatchSize: LIMITS.spansPerExport,
      }),
    ],
  });
  const tracer = provider.getTracer('threadmill', VERSION);
  return {
    steps,
    start(name, kind, parent, attributes): OpenSpan {
      const context = parent === null ? null : contextOf(parent);
      const span = tracer.startSpan(
        name,
        { kind: KINDS[kind], attributes },
        context === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context),
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end(more, error) {
          span.setAttributes(more);
          if (error !== null) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async close() {
      let timer: NodeJS.Timeout | null = null;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LIMITS.spansFlushMs);
      });
      const sent = Promise.allSettled([provider.shutdown(), steps.close()]);
      await Promise.race([sent, late]);
      if (timer !== null) clearTimeout(timer);
      diag.disable();
    },
  };
}

async function exporterOf({ url, headers, protocol }: TracingOptions): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter({ url, headers: { ...headers } });
}

function samplerOf({ ratio, parentBased }: SamplerOptions): Sampler {
  const root =
    ratio === 1 ? new AlwaysOnSampler() : ratio === 0 ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

/** W3C Trace Context, 3.2: of a later version, what this one knows counts. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-((?!0{32})[\da-f]{32})-((?!0{16})[\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Null when it is none: a trace of its own begins then. */
function contextOf(traceparent: string): SpanContext | null {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags!, 16) & TraceFlags.SAMPLED, isRemote: true };
}

/** What the library has to say, once in a while: a collector that is away says the same with every batch. */
function tellProblems(log: Logger): void {
  let quietUntilMs = 0;
  const tell = (message: string): void => {
    if (performance.now() < quietUntilMs) return;
    quietUntilMs = performance.now() + LIMITS.spanProblemIntervalMs;
    log.warn({ problem: message.slice(0, 500) }, 'spans could not be sent');
  };
  const silent = (): void => undefined;
  diag.setLogger(
    { error: tell, warn: tell, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
