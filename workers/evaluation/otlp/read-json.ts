import { isUtf8 } from 'node:buffer';
import { fail } from '../../../src/base/errors.js';
import { isObject, setOwn, type JsonObject } from '../../../src/base/json/json.js';
import {
  elements,
  isArraySlice,
  isObjectSlice,
  memberMap,
  parse,
  wholeValue,
  type Slice,
} from '../../../src/base/json/slices.js';
import { LIMITS } from '../../../src/base/limits.js';
import { Attributes } from './attributes.js';
import { checkedSpan, microsOf, SpanProblem, type EncodedSpan, type OtlpEvent, type SpanOrigin } from './span.js';

/** Spans of an `ExportTraceServiceRequest` in JSON, one by one. Throws MALFORMED_JSON or MALFORMED_BODY. */
export function* spansOfJson(body: Uint8Array): Generator<EncodedSpan> {
  if (!isUtf8(body)) throw fail('MALFORMED_JSON', { reason: 'the body is not valid UTF-8' });
  const whole = wholeValue(body);
  for (const [resourceSpans, resourcePlace] of listAt(body, whole, '', 'resourceSpans', 'resource_spans')) {
    const { resource } = partsOf(body, resourceSpans, resourcePlace, ['resource']);
    const resourceAttributes = attributesIn(resource, `${resourcePlace}.resource`);
    for (const [scopeSpans, scopePlace] of listAt(body, resourceSpans, resourcePlace, 'scopeSpans', 'scope_spans')) {
      const { scope } = partsOf(body, scopeSpans, scopePlace, ['scope']);
      const scopeName = isObject(scope) && typeof scope['name'] === 'string' ? scope['name'] : '';
      const origin: SpanOrigin = { resource: resourceAttributes, scope: scopeName === '' ? null : scopeName };
      for (const [span, place] of listAt(body, scopeSpans, scopePlace, 'spans'))
        yield { place, origin, decode: () => spanOf(parse(body, span)) };
    }
  }
}

/** Elements of a list that a member holds, with their places. The names are those of JSON and of the schema. */
function* listAt(
  body: Uint8Array,
  slice: Slice,
  place: string,
  ...names: readonly string[]
): Generator<[element: Slice, place: string]> {
  if (!isObjectSlice(body, slice)) throw malformed(place, 'must be an object', parse(body, slice));
  const found = memberMap(body, slice);
  const list = names.map((name) => found.get(name)).find((one) => one !== undefined);
  if (list === undefined || parsedNull(body, list)) return;
  const listPlace = place === '' ? names[0]! : `${place}.${names[0]!}`;
  if (!isArraySlice(body, list)) throw malformed(listPlace, 'must be a list', parse(body, list));
  let at = 0;
  for (const element of elements(body, list)) {
    yield [element, `${listPlace}.${at}`];
    at += 1;
  }
}

function partsOf<Name extends string>(
  body: Uint8Array,
  slice: Slice,
  place: string,
  names: readonly Name[],
): Partial<Record<Name, unknown>> {
  if (!isObjectSlice(body, slice)) throw malformed(place, 'must be an object', parse(body, slice));
  const found = memberMap(body, slice);
  return Object.fromEntries(
    names.flatMap((name) => {
      const part = found.get(name);
      return part === undefined ? [] : [[name, parse(body, part)]];
    }),
  ) as Partial<Record<Name, unknown>>;
}

function parsedNull(body: Uint8Array, { start, end }: Slice): boolean {
  return end - start === 'null'.length && parse(body, { start, end }) === null;
}

/** `_parsed`: the value was parsed first, so that bytes that are no JSON are reported as such. */
function malformed(place: string, problem: string, _parsed: unknown): Error {
  return fail('MALFORMED_BODY', {
    reason: `is not an ExportTraceServiceRequest: ${place === '' ? 'it' : place} ${problem}.`,
  });
}

function attributesIn(value: unknown, place: string): Attributes {
  try {
    return attributesOf(isObject(value) ? value['attributes'] : undefined);
  } catch (error) {
    if (error instanceof SpanProblem)
      throw fail('MALFORMED_BODY', { reason: `is not an ExportTraceServiceRequest: ${place}.${error.message}.` });
    throw error;
  }
}

/** Throws SpanProblem. */
function spanOf(value: unknown): ReturnType<typeof checkedSpan> {
  if (!isObject(value)) throw new SpanProblem('must be an object');
  const status = value['status'] ?? {};
  if (!isObject(status)) throw new SpanProblem('status: must be an object');
  return checkedSpan({
    traceId: textOf(value, 'traceId', 'trace_id').toLowerCase(),
    spanId: textOf(value, 'spanId', 'span_id').toLowerCase(),
    parentSpanId: textOf(value, 'parentSpanId', 'parent_span_id').toLowerCase(),
    name: textOf(value, 'name'),
    startNanos: nanosOf(value, 'startTimeUnixNano', 'start_time_unix_nano'),
    endNanos: nanosOf(value, 'endTimeUnixNano', 'end_time_unix_nano'),
    status: { code: statusCode(status['code']), message: textOf(status, 'message') },
    attributes: attributesOf(value['attributes']),
    events: listOf(value, 'events').map(eventOf),
    links: listOf(value, 'links').map((link) => ({
      traceId: textOf(link, 'traceId', 'trace_id'),
      spanId: textOf(link, 'spanId', 'span_id'),
    })),
  });
}

function eventOf(event: JsonObject): OtlpEvent {
  return {
    name: textOf(event, 'name'),
    timeUs: microsOf(nanosOf(event, 'timeUnixNano', 'time_unix_nano')) || null,
    attributes: attributesOf(event['attributes']),
  };
}

/** OTLP sends numbers; other JSON mappings of the schema send names. */
function statusCode(code: unknown): number {
  if (code === undefined || code === null) return 0;
  const names = ['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'];
  const number = typeof code === 'string' ? names.indexOf(code) : code;
  if (typeof number !== 'number' || !(number >= 0)) throw new SpanProblem('status.code: must be 0, 1 or 2');
  return number;
}

function member(value: JsonObject, names: readonly string[]): unknown {
  for (const name of names) if (value[name] !== undefined && value[name] !== null) return value[name];
  return undefined;
}

function textOf(value: JsonObject, ...names: readonly string[]): string {
  const text = member(value, names) ?? '';
  if (typeof text !== 'string') throw new SpanProblem(`${names[0]!}: must be a text`);
  return text.toWellFormed();
}

/** 64-bit numbers are texts in JSON; some senders send numbers. */
function nanosOf(value: JsonObject, ...names: readonly string[]): bigint {
  const nanos = member(value, names) ?? 0;
  if (typeof nanos === 'string' && /^\d{1,20}$/.test(nanos)) return BigInt(nanos);
  if (typeof nanos === 'number' && Number.isFinite(nanos)) return BigInt(Math.trunc(nanos));
  throw new SpanProblem(`${names[0]!}: must be a number of nanoseconds, as text`);
}

function listOf(value: JsonObject, name: string): JsonObject[] {
  const list = value[name] ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) throw new SpanProblem(`${name}: must be a list of objects`);
  return list;
}

function attributesOf(list: unknown): Attributes {
  const attributes = new Attributes();
  if (list === undefined || list === null) return attributes;
  if (!Array.isArray(list)) throw new SpanProblem('attributes: must be a list of {key, value}');
  for (const one of list) {
    const { key, value } = (isObject(one) ? one : {}) as { key?: unknown; value?: unknown };
    if (typeof key !== 'string') throw new SpanProblem('attributes: must be a list of {key, value}');
    try {
      attributes.set(key.toWellFormed(), anyValue(value, 0));
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      attributes.isTooDeep = true;
    }
  }
  return attributes;
}

class TooDeep extends Error {}

/** Value of an `AnyValue`; null if it has none. */
function anyValue(value: unknown, depth: number): unknown {
  if (depth > LIMITS.jsonDepthMax) throw new TooDeep();
  if (!isObject(value)) return null;
  const plain = value['stringValue'] ?? value['boolValue'] ?? value['doubleValue'] ?? value['bytesValue'];
  if (plain !== undefined && plain !== null) return plainValue(plain);
  if (value['intValue'] !== undefined) return integerOf(plainValue(value['intValue']));
  const { arrayValue, kvlistValue } = value;
  if (isObject(arrayValue))
    return (Array.isArray(arrayValue['values']) ? arrayValue['values'] : []).map((one) => anyValue(one, depth + 1));
  if (!isObject(kvlistValue)) return null;
  const object: JsonObject = {};
  for (const one of Array.isArray(kvlistValue['values']) ? kvlistValue['values'] : [])
    if (isObject(one) && typeof one['key'] === 'string') setOwn(object, one['key'], anyValue(one['value'], depth + 1));
  return object;
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'object') throw new SpanProblem('attributes: a plain value must not be an object or a list');
  return value;
}

/** Integers beyond those of JSON stay texts. */
function integerOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
