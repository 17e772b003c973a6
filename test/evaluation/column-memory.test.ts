import t from 'tap';
import { ColumnMemory } from '../../workers/evaluation/column-memory.js';

t.test('keeps its contents, and is zero behind them, as it grows', (t) => {
  const memory = new ColumnMemory();
  // Small buffers, the first resizable one, a grown one, and one that needs a larger reservation.
  const sizes = [1, 3_000, 70_000, 400_000, 5_000_000, 70_000_000];
  let written = 0;
  for (const size of sizes) {
    memory.grow(size);
    const bytes = new Uint8Array(memory.buffer);
    t.ok(bytes.length >= size && bytes.length % 8 === 0, `${size}: ${bytes.length} bytes`);
    t.ok(
      bytes.subarray(0, written).every((byte) => byte === 7),
      'has the bytes that were written',
    );
    t.equal(Math.max(...bytes.subarray(written, written + 10_000)), 0, 'is zero behind them');
    bytes.fill(7, 0, size);
    written = size;
  }
  t.end();
});

t.test('grows in place, and returns its memory', (t) => {
  const memory = new ColumnMemory();
  memory.grow(100_000);
  const { buffer } = memory;
  memory.grow(900_000);
  t.equal(memory.buffer, buffer, 'the same buffer');
  const view = new Float64Array(buffer);
  memory.free();
  t.equal(view.length, 0, 'views are empty');
  t.equal(memory.buffer.byteLength, 0);
  memory.grow(100_000);
  t.ok(
    new Uint8Array(memory.buffer).every((byte) => byte === 0),
    'can be used again',
  );
  t.end();
});
