import { array, assert, nat, property, string } from 'fast-check';
import t from 'tap';
import { EventCut, ResultCut } from '../../src/http/forward/stream-cut.js';

const event = (id: number, text: string): string => `id: ${id}\nevent: custom\ndata: "${text}"\n\n`;

function pass(cut: EventCut | ResultCut, ...pieces: string[]): string {
  return pieces.map((piece) => cut.add(Buffer.from(piece)).toString()).join('');
}

t.test('passes whole events on, wherever the pieces end', (t) => {
  assert(
    property(array(string(), { minLength: 1 }), array(nat()), (texts, places) => {
      const all = Buffer.from(texts.map((text, at) => event(at + 1, JSON.stringify(text))).join(': heartbeat\n'));
      const ends = [...places.map((place) => place % all.byteLength), all.byteLength].sort((a, b) => a - b);
      const cut = new EventCut();
      const passed: Buffer[] = [];
      let start = 0;
      for (const end of ends) {
        passed.push(cut.add(all.subarray(start, end)));
        start = end;
        const text = Buffer.concat(passed).toString();
        t.ok(text === '' || text.endsWith('\n\n') || text.endsWith(': heartbeat\n'), text);
        t.equal(cut.lastId, /[^]*(?:^|\n)id: (\d+)\n/.exec(text)?.[1] ?? null);
      }
      t.equal(Buffer.concat(passed).toString(), all.toString());
    }),
  );
  t.end();
});

t.test('passes comments and empty lines on at once, and drops the beginning of an event at a restart', (t) => {
  const cut = new EventCut();
  t.equal(pass(cut, '\n', ': heart', 'beat\n'), '\n: heartbeat\n');
  t.equal(pass(cut, event(7, 'a'), 'id: 8\nda'), event(7, 'a'));
  cut.restart();
  t.equal(cut.lastId, '7');
  t.equal(pass(cut, event(8, 'b')), event(8, 'b'));
  t.equal(cut.lastId, '8');
  t.end();
});

t.test('a result can be continued until its first byte', (t) => {
  const cut = new ResultCut();
  t.equal(pass(cut, '\n', '\n'), '\n\n');
  t.ok(cut.canContinue);
  t.equal(pass(cut, '{"a"'), '{"a"');
  t.notOk(cut.canContinue);
  t.end();
});
