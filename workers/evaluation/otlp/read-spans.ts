import { LIMITS } from '../../../src/base/limits.js';
import { HiddenPaths } from '../../../src/domain/hidden-paths.js';
import type { IngestResult, RunChange } from '../../../src/wire/evaluation/ingest.js';
import type { ReceivedTraceSettings } from '../../../src/wire/evaluation/evaluation.js';
import { modelPrices } from '../../../src/wire/model-prices.js';
import { spansOfJson } from './read-json.js';
import { spansOfProtobuf } from './read-protobuf.js';
import { runOfSpan } from './run-of-span.js';
import { SpanProblem } from './span.js';

/** How many refused spans a response names. */
const PROBLEMS_MAX = 5;

export interface ReadSpans {
  runs: RunChange[];
  refused: IngestResult['refused'];
}

/**
 * Reads the spans of a body as runs. Spans that cannot be stored are refused one by one. Throws MALFORMED_JSON or
 * MALFORMED_BODY if the body cannot be read.
 */
export async function readSpans(
  body: Uint8Array,
  { isJson, project, settings }: { isJson: boolean; project: string | null; settings: ReceivedTraceSettings },
): Promise<ReadSpans> {
  await modelPrices.load();
  const hidden = new HiddenPaths(settings.hide);
  const runs: RunChange[] = [];
  const problems: string[] = [];
  let count = 0;
  for (const span of isJson ? spansOfJson(body) : spansOfProtobuf(body)) {
    try {
      if (runs.length >= LIMITS.spansPerRequestMax)
        throw new SpanProblem(`a request must not have more than ${LIMITS.spansPerRequestMax} spans`);
      runs.push(runOfSpan(span.decode(), { origin: span.origin, project, settings, hidden }));
    } catch (error) {
      if (!(error instanceof SpanProblem)) throw error;
      count += 1;
      if (problems.length < PROBLEMS_MAX) problems.push(`${span.place}: ${error.message}`);
    }
  }
  const more = count - problems.length;
  const message = `${problems.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
  return { runs, refused: count === 0 ? null : { count, message } };
}
