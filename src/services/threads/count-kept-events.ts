import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIMITS } from '../../base/limits.js';
import { framesOf } from '../../wire/runs/frame.js';
import type { Subscription } from '../runs/subscription.js';

/** Counts the events that a new subscription gets first because they exist already. Other work goes on in between. */
export async function countKeptEvents({ log, afterSeq, wants }: Subscription): Promise<number> {
  const cursor = log.cursor(afterSeq);
  const { lastSeq } = log;
  let count = 0;
  let sliceEndMs = performance.now() + LIMITS.firstSliceMs;
  while (cursor.afterSeq < lastSeq) {
    const found = await cursor.next();
    if (found === undefined) break;
    if ('gap' in found) cursor.advance(found.to);
    else {
      for (const { seq, name } of framesOf(found))
        if (seq > cursor.afterSeq && seq <= lastSeq && (wants === null || wants(name))) count += 1;
      cursor.advance(found.lastSeq);
    }
    if (performance.now() < sliceEndMs) continue;
    await nextTurn();
    sliceEndMs = performance.now() + LIMITS.sliceMs;
  }
  return count;
}
