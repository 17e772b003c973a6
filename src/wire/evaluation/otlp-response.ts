import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { IngestResult } from './ingest.js';

/** Responses of OTLP in Protocol Buffers and JSON (opentelemetry-proto, collector/trace/v1). */

export const PROTOBUF = 'application/x-protobuf';

/** An `ExportTraceServiceResponse`. It is empty if no span was refused. */
export function encodeResponse(refused: IngestResult['refused']): Uint8Array {
  const out = new BinaryWriter();
  if (refused !== null) {
    out.tag(1, WireType.LengthDelimited).fork();
    out.tag(1, WireType.Varint).int64(refused.count);
    out.tag(2, WireType.LengthDelimited).string(refused.message);
    out.join();
  }
  return out.finish();
}

/** The same in JSON, where 64-bit numbers are texts. */
export function responseJson(refused: IngestResult['refused']): string {
  if (refused === null) return '{}';
  return JSON.stringify({
    partialSuccess: { rejectedSpans: String(refused.count), errorMessage: refused.message },
  });
}

/** A `google.rpc.Status`. */
export function encodeStatus(code: number, message: string): Uint8Array {
  return new BinaryWriter()
    .tag(1, WireType.Varint)
    .int32(code)
    .tag(2, WireType.LengthDelimited)
    .string(message)
    .finish();
}
