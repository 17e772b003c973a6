import { fail } from '../base/errors.js';

/** Where spans are sent, and which ones. Set by the standard OpenTelemetry variables. */
export interface TracingOptions {
  /** URL of the collector, path included. */
  url: string;
  protocol: 'http/protobuf' | 'http/json';
  headers: Readonly<Record<string, string>>;
  /** Resource attributes of the server; `service.name` is always present. */
  resource: Readonly<Record<string, string>>;
  sampler: SamplerOptions;
}

export interface SamplerOptions {
  /** Share of the traces that are sampled: 1 is all, 0 is none. */
  ratio: number;
  /** Follow the sampling decision in the request's `traceparent`, if it has one. */
  parentBased: boolean;
}

const SAMPLERS: Readonly<Record<string, (ratio: number) => SamplerOptions>> = {
  always_on: () => ({ ratio: 1, parentBased: false }),
  always_off: () => ({ ratio: 0, parentBased: false }),
  traceidratio: (ratio) => ({ ratio, parentBased: false }),
  parentbased_always_on: () => ({ ratio: 1, parentBased: true }),
  parentbased_always_off: () => ({ ratio: 0, parentBased: true }),
  parentbased_traceidratio: (ratio) => ({ ratio, parentBased: true }),
};
const PROTOCOLS = ['http/protobuf', 'http/json'] as const;

/**
 * Returns null without an endpoint; then no exporter is loaded and nothing leaves the machine. Throws
 * CONFIG_INVALID, which names the variable.
 */
export function readTracing(env: NodeJS.ProcessEnv): TracingOptions | null {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? '';
  const common = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  if (own === '' && common === '') return null;
  if ((env['OTEL_SDK_DISABLED'] ?? '').toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return null;
  const name = own === '' ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const url = own === '' ? `${common.replace(/\/$/, '')}/v1/traces` : own;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw configError(name, 'must be the URL of a collector, such as http://127.0.0.1:4318.');

  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? 'http/protobuf';
  const known = PROTOCOLS.find((one) => one === protocol);
  if (known === undefined)
    throw configError(
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      `${JSON.stringify(protocol)} is not supported. Spans are sent as ${PROTOCOLS.join(' or ')}.`,
    );

  const resource = parsePairs(env['OTEL_RESOURCE_ATTRIBUTES']);
  const serviceName = env['OTEL_SERVICE_NAME'] ?? '';
  return {
    url,
    protocol: known,
    headers: {
      ...parsePairs(env['OTEL_EXPORTER_OTLP_HEADERS']),
      ...parsePairs(env['OTEL_EXPORTER_OTLP_TRACES_HEADERS']),
    },
    resource: {
      'service.name': 'threadmill',
      ...resource,
      ...(serviceName === '' ? {} : { 'service.name': serviceName }),
    },
    sampler: readSampler(env),
  };
}

function readSampler(env: NodeJS.ProcessEnv): SamplerOptions {
  const name = env['OTEL_TRACES_SAMPLER'] ?? 'parentbased_always_on';
  if (!Object.hasOwn(SAMPLERS, name))
    throw configError(
      'OTEL_TRACES_SAMPLER',
      `${JSON.stringify(name)} is unknown. Known samplers are ${Object.keys(SAMPLERS).join(', ')}.`,
    );
  const ratio = Number(env['OTEL_TRACES_SAMPLER_ARG'] ?? '1');
  if (!(ratio >= 0 && ratio <= 1)) throw configError('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1.');
  return SAMPLERS[name]!(ratio);
}

/**
 * Parses `name=value,name=value` with percent-encoded values (W3C Baggage, as OpenTelemetry uses it). Skips
 * malformed pairs.
 */
function parsePairs(text: string | undefined): Record<string, string> {
  return Object.fromEntries(
    (text ?? '').split(',').flatMap((part) => {
      const at = part.indexOf('=');
      const name = part.slice(0, Math.max(0, at)).trim();
      return name === '' ? [] : [[name, percentDecoded(part.slice(at + 1).trim())]];
    }),
  );
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function configError(name: string, problem: string): Error {
  return fail('CONFIG_INVALID', { file: name, problem });
}
