import type { FromExport, ToExport } from '../wire/evaluation/exports.js';
import type { EvaluationSession } from './evaluation-pool.js';

export type ExportSession = EvaluationSession<ToExport, FromExport, null>;

/** The parts of an export. The worker makes the next one when the consumer asks for it. Throws the worker's error. */
export async function* exportParts({ duplex, result }: ExportSession): AsyncGenerator<FromExport, void> {
  // The worker may close its end of the channel before its task ends. The task then reports how it ended.
  const next = (): Promise<FromExport | null> => duplex.receive().catch(() => result);
  for (let part = await next(); part !== null; part = await next()) {
    yield part;
    duplex.send({ type: 'more' });
  }
}
