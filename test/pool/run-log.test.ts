import t from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import { RunLog, type Gap, type LogCursor } from '../../src/pool/graphs/run-log.js';
import { framesOf, frameText, type FrameBatch } from '../../src/wire/runs/frame.js';

function batch(firstSeq: number, count: number, pad = 0): FrameBatch {
  const text = Array.from({ length: count }, (_, i) =>
    frameText(
      firstSeq + i,
      i % 2 === 0 ? 'values' : 'updates|sub:1',
      JSON.stringify({ n: firstSeq + i, pad: 'x'.repeat(pad) }),
    ),
  ).join('');
  return { firstSeq, lastSeq: firstSeq + count - 1, names: ['values', 'updates|sub:1'], bytes: Buffer.from(text) };
}

async function readAll(cursor: LogCursor): Promise<(number | Gap)[]> {
  const seen: (number | Gap)[] = [];
  for (;;) {
    const found = await cursor.next();
    if (found === undefined) return seen;
    if ('gap' in found) return [...seen, found];
    for (const frame of framesOf(found)) if (frame.seq > cursor.afterSeq) seen.push(frame.seq);
    cursor.advance(found.lastSeq);
  }
}

t.test('splits a batch into frames', (t) => {
  t.strictSame(
    [...framesOf(batch(7, 3))].map(({ seq, name }) => [seq, name]),
    [
      [7, 'values'],
      [8, 'updates|sub:1'],
      [9, 'values'],
    ],
  );
  t.end();
});

t.test('keeps an event name in its line', (t) => {
  t.equal(frameText(1, 'a\r\ndata: b', '{}'), 'id: 1\nevent: adata: b\ndata: {}\n\n');
  t.end();
});

t.test('shows clients another type than the name that filters read', (t) => {
  const text = frameText(1, 'v2:input|sub:1', '{}', 'input.requested');
  t.equal(text, 'id: 1\nevent: input.requested\n: v2:input|sub:1\ndata: {}\n\n');
  const bytes = Buffer.from(text + frameText(2, 'values', '{"a":1}'));
  t.strictSame(
    [...framesOf({ firstSeq: 1, lastSeq: 2, names: [], bytes })].map(({ name }) => name),
    ['v2:input|sub:1', 'values'],
  );
  t.end();
});

t.test('serves readers at different positions from the same log', async (t) => {
  const log = new RunLog(null);
  const early = log.cursor(-1);
  log.begin(100);
  log.append(batch(100, 3));
  const middle = log.cursor(101);
  log.append(batch(103, 2));
  t.strictSame(await readAll(early), [100, 101, 102, 103, 104]);
  t.strictSame(await readAll(middle), [102, 103, 104]);
  t.strictSame(await readAll(log.cursor(log.lastSeq)), []);
  log.append(batch(105, 1));
  t.strictSame(await readAll(early), [105]);
  t.notOk(early.ended);
  log.end();
  t.ok(early.ended);
  t.end();
});

const many = Math.ceil((LIMITS.runTailBytesMax * 2) / 50_000);

t.test('reports events that memory no longer holds as a gap with both ends', async (t) => {
  const log = new RunLog(null);
  log.begin(0);
  for (let i = 0; i < many; i += 1) log.append(batch(i, 1, 50_000));
  const [gap] = await readAll(log.cursor(-1));
  t.match(gap, { gap: true, from: 0, to: Number });
  const rest = await readAll(log.cursor((gap as Gap).to));
  t.equal(rest.length, many - 1 - (gap as Gap).to, 'everything after the gap is there');
});

t.test('reads events of a resumable run from the store when memory no longer holds them', async (t) => {
  const stored: FrameBatch[] = [];
  const log = new RunLog(async (afterSeq) => stored.filter(({ lastSeq }) => lastSeq > afterSeq).slice(0, 1));
  log.begin(0);
  for (let i = 0; i < many; i += 1) {
    stored.push(batch(i, 1, 50_000));
    log.append(stored.at(-1)!);
  }
  t.strictSame(
    await readAll(log.cursor(-1)),
    stored.map(({ firstSeq }) => firstSeq),
  );
});

t.test('reads a run that continues after a restart from its first event', async (t) => {
  const log = new RunLog(
    async (afterSeq) => [batch(0, 3), batch(3, 2)].filter(({ lastSeq }) => lastSeq > afterSeq).slice(0, 1),
    true,
  );
  log.begin(1_000);
  log.append(batch(1_000, 2));
  t.strictSame(await readAll(log.cursor(-1)), [0, 1, 2, 3, 4, 1_000, 1_001]);
  t.strictSame(await readAll(log.cursor(3)), [4, 1_000, 1_001]);
});
