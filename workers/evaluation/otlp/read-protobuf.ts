import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { fail } from '../../../src/base/errors.js';
import { setOwn, type JsonObject } from '../../../src/base/json/json.js';
import { LIMITS } from '../../../src/base/limits.js';
import { Attributes } from './attributes.js';
import { checkedSpan, microsOf, type EncodedSpan, type OtlpEvent, type OtlpSpan, type RawSpan } from './span.js';

/**
 * Spans of an `ExportTraceServiceRequest` in Protocol Buffers, one by one. Reads the fields that are stored, and skips
 * all others. Throws MALFORMED_BODY.
 */
export function* spansOfProtobuf(body: Uint8Array): Generator<EncodedSpan> {
  const requests = bytesFields(body, [1])[0]!;
  for (const [resourceAt, resourceSpans] of requests.entries()) {
    const [resources, scopeSpans] = bytesFields(resourceSpans, [1, 2]) as [Uint8Array[], Uint8Array[]];
    const resource = new Attributes();
    for (const one of resources) for (const pair of bytesFields(one, [1])[0]!) decoded(() => setPair(resource, pair));
    for (const [scopeAt, inScope] of scopeSpans.entries()) {
      const [scopes, spans] = bytesFields(inScope, [1, 2]) as [Uint8Array[], Uint8Array[]];
      const [name] = scopes.flatMap((one) => bytesFields(one, [1])[0]!);
      const scope = name === undefined || name.byteLength === 0 ? null : textOf(name);
      for (const [at, bytes] of spans.entries())
        yield {
          place: `resourceSpans.${resourceAt}.scopeSpans.${scopeAt}.spans.${at}`,
          origin: { resource, scope },
          decode: () => spanOf(bytes),
        };
    }
  }
}

/** Errors of the decoder become MALFORMED_BODY. */
function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw fail('MALFORMED_BODY', {
      reason: `is not an ExportTraceServiceRequest in Protocol Buffers: ${error instanceof Error ? error.message : String(error)}.`,
    });
  }
}

/** Calls back for each field. What the callback does not read is skipped. */
function eachField(bytes: Uint8Array, read: (field: number, type: WireType, reader: BinaryReader) => boolean): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (!read(field, type, reader)) reader.skip(type, field);
  }
}

/** The messages in these fields, in their order. */
function bytesFields(bytes: Uint8Array, fields: readonly number[]): Uint8Array[][] {
  const found: Uint8Array[][] = fields.map(() => []);
  decoded(() =>
    eachField(bytes, (field, type, reader) => {
      const list = found[fields.indexOf(field)];
      if (list === undefined || type !== WireType.LengthDelimited) return false;
      list.push(reader.bytes());
      return true;
    }),
  );
  return found;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

function spanOf(bytes: Uint8Array): OtlpSpan {
  const events: OtlpEvent[] = [];
  const links: { traceId: string; spanId: string }[] = [];
  const span: RawSpan = {
    ...{ traceId: '', spanId: '', parentSpanId: '', name: '', startNanos: 0n, endNanos: 0n },
    ...{ status: { code: 0, message: '' }, attributes: new Attributes(), events, links },
  };
  decoded(() =>
    eachField(bytes, (field, type, reader) => {
      if (type === WireType.LengthDelimited) {
        if (field === 1) span.traceId = hexOf(reader.bytes());
        else if (field === 2) span.spanId = hexOf(reader.bytes());
        else if (field === 4) span.parentSpanId = hexOf(reader.bytes());
        else if (field === 5) span.name = textOf(reader.bytes());
        else if (field === 9) setPair(span.attributes, reader.bytes());
        else if (field === 11) events.push(eventOf(reader.bytes()));
        else if (field === 13) links.push(linkOf(reader.bytes()));
        else if (field === 15) span.status = statusOf(reader.bytes());
        else return false;
        return true;
      }
      if (type !== WireType.Bit64 || (field !== 7 && field !== 8)) return false;
      span[field === 7 ? 'startNanos' : 'endNanos'] = BigInt(reader.fixed64());
      return true;
    }),
  );
  return checkedSpan(span);
}

function eventOf(bytes: Uint8Array): OtlpEvent {
  const attributes = new Attributes();
  let [name, timeUs]: [string, number | null] = ['', null];
  eachField(bytes, (field, type, reader) => {
    if (field === 1 && type === WireType.Bit64) timeUs = microsOf(BigInt(reader.fixed64())) || null;
    else if (field === 2 && type === WireType.LengthDelimited) name = textOf(reader.bytes());
    else if (field === 3 && type === WireType.LengthDelimited) setPair(attributes, reader.bytes());
    else return false;
    return true;
  });
  return { name, timeUs, attributes };
}

function linkOf(bytes: Uint8Array): { traceId: string; spanId: string } {
  const link = { traceId: '', spanId: '' };
  eachField(bytes, (field, type, reader) => {
    if (type !== WireType.LengthDelimited || field > 2) return false;
    link[field === 1 ? 'traceId' : 'spanId'] = hexOf(reader.bytes());
    return true;
  });
  return link;
}

function statusOf(bytes: Uint8Array): OtlpSpan['status'] {
  const status = { code: 0, message: '' };
  eachField(bytes, (field, type, reader) => {
    if (field === 2 && type === WireType.LengthDelimited) status.message = textOf(reader.bytes());
    else if (field === 3 && type === WireType.Varint) status.code = reader.int32();
    else return false;
    return true;
  });
  return status;
}

/** Reads a `KeyValue`. */
function setPair(attributes: Attributes, bytes: Uint8Array): void {
  const [key, value] = pairOf(bytes, 0);
  if (value === TOO_DEEP) attributes.isTooDeep = true;
  else attributes.set(key, value);
}

/** In the place of a value that is nested too deeply. */
const TOO_DEEP = Symbol('too deep');

function pairOf(bytes: Uint8Array, depth: number): [key: string, value: unknown] {
  let [key, value]: [string, unknown] = ['', null];
  eachField(bytes, (field, type, reader) => {
    if (type !== WireType.LengthDelimited || field > 2) return false;
    if (field === 1) key = textOf(reader.bytes());
    else value = anyValue(reader.bytes(), depth);
    return true;
  });
  return [key, value];
}

/** Value of an `AnyValue`; null if it has none. */
function anyValue(bytes: Uint8Array, depth: number): unknown {
  if (depth > LIMITS.jsonDepthMax) return TOO_DEEP;
  let value: unknown = null;
  eachField(bytes, (field, type, reader) => {
    if (field === 1 && type === WireType.LengthDelimited) value = textOf(reader.bytes());
    else if (field === 2 && type === WireType.Varint) value = reader.bool();
    else if (field === 3 && type === WireType.Varint) value = integerOf(BigInt(reader.int64()));
    else if (field === 4 && type === WireType.Bit64) value = numberOf(reader.double());
    else if (field === 5 && type === WireType.LengthDelimited) value = listOf(reader.bytes(), depth);
    else if (field === 6 && type === WireType.LengthDelimited) value = objectOf(reader.bytes(), depth);
    else if (field === 7 && type === WireType.LengthDelimited) value = Buffer.from(reader.bytes()).toString('base64');
    else return false;
    return true;
  });
  return value;
}

function listOf(bytes: Uint8Array, depth: number): unknown {
  const list: unknown[] = [];
  let isTooDeep = false;
  eachField(bytes, (field, type, reader) => {
    if (field !== 1 || type !== WireType.LengthDelimited) return false;
    const value = anyValue(reader.bytes(), depth + 1);
    if (value === TOO_DEEP) isTooDeep = true;
    else list.push(value);
    return true;
  });
  return isTooDeep ? TOO_DEEP : list;
}

function objectOf(bytes: Uint8Array, depth: number): unknown {
  const object: JsonObject = {};
  let isTooDeep = false;
  eachField(bytes, (field, type, reader) => {
    if (field !== 1 || type !== WireType.LengthDelimited) return false;
    const [key, value] = pairOf(reader.bytes(), depth + 1);
    if (value === TOO_DEEP) isTooDeep = true;
    else setOwn(object, key, value);
    return true;
  });
  return isTooDeep ? TOO_DEEP : object;
}

/** Integers beyond those of JSON become texts. */
function integerOf(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** As JSON of OTLP writes numbers that JSON does not have. */
function numberOf(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}
