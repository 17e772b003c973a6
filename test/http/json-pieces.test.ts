import t from 'tap';
import { memberCountOf, parseInPieces, sourceOf } from '../../src/base/json/parse-in-pieces.js';
import { LIMITS } from '../../src/base/limits.js';
import { runToEnd } from '../../src/base/steps.js';

const parse = (text: string | Buffer, membersMax = Infinity): unknown =>
  runToEnd(parseInPieces(Buffer.from(text), membersMax));
/** The same draws in every run. */
let seed = 7;
function randomInt(below: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

const FILLER = 'x'.repeat(4_000);

/** Values whose text is cut in many places: at every level, between and within members. */
function drawn(depth: number): unknown {
  const kind = randomInt(depth > 6 ? 4 : 8);
  switch (kind) {
    case 0:
      return FILLER.slice(0, randomInt(FILLER.length));
    case 1:
      return `"\\,[]{}: \u2028é😀${'\\'.repeat(randomInt(4))}`;
    case 2:
      return randomInt(1_000_000) / 7;
    case 3:
      return [null, true, false, -0.5, ''][randomInt(5)];
    case 4:
    case 5:
      return Array.from({ length: randomInt(12) }, () => drawn(depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: randomInt(12) }, (_, at) => [
          ['a', '', '7', '__proto__', 'constructor', 'é"\\', `k${at}`][randomInt(7)],
          drawn(depth + 1),
        ]),
      );
  }
}

t.test('returns the value of JSON.parse, however the text is cut', (t) => {
  for (let round = 0; round < 24; round += 1) {
    const value = { first: drawn(0), list: Array.from({ length: 20 }, () => drawn(2)), last: drawn(0) };
    const text = JSON.stringify(value, null, round % 3);
    t.equal(JSON.stringify(parse(text)), JSON.stringify(JSON.parse(text)), `round ${round}`);
  }
  t.end();
});

t.test('keeps the last of repeated keys, over chunks too, and treats __proto__ as a key', (t) => {
  const long = JSON.stringify(Array.from({ length: 50 }, () => FILLER));
  const text = `{"a":${long},"b":1,"a":{"__proto__":${long},"c":2},"a":{"__proto__":{"d":${long}},"c":3}}`;
  t.equal(JSON.stringify(parse(text)), JSON.stringify(JSON.parse(text)));
  t.equal(({} as Record<string, unknown>)['d'], undefined);
  t.end();
});

t.test('refuses invalid JSON, wherever it is cut', (t) => {
  const long = Array.from({ length: 40 }, () => JSON.stringify(FILLER)).join(',');
  const bad = [
    `[${long},]`,
    `[${long},,1]`,
    `{"a":[${long}],}`,
    `[${long}}`,
    `{"a":[${long}]`,
    `[${long}]]`,
    `[${long}],1`,
    `[${long}] 1`,
    `{"a":1,${long}}`,
    `{"a","b":[${long}]}`,
    `[${long},\ufeff1]`,
    `[${long},01]`,
    `[${long},"\n"]`,
    `[${long},"`,
    `[${long},"\\"]`,
    long,
    `{${long}}`,
    `[${long} 1]`,
    `[${long},nul]`,
  ];
  for (const text of bad) {
    t.throws(() => {
      JSON.parse(text);
    }, text.slice(-20));
    t.throws(() => parse(text), { code: 'MALFORMED_JSON' }, text.slice(-20));
  }
  t.throws(() => parse(Buffer.concat([Buffer.from(`[${long},"`), Buffer.from([0xff]), Buffer.from('"]')])), {
    code: 'MALFORMED_JSON',
  });
  t.end();
});

t.test('refuses too deep nesting and too many members before it parses everything', (t) => {
  const depth = LIMITS.jsonDepthMax;
  t.doesNotThrow(() => parse(`${'['.repeat(depth + 1)}${']'.repeat(depth + 1)}`));
  t.throws(() => parse(`${'['.repeat(depth + 2)}${']'.repeat(depth + 2)}`), {
    code: 'INVALID_REQUEST',
    message: /nested deeper than/,
  });
  t.throws(() => parse('['.repeat(1_000_000)), { code: 'INVALID_REQUEST' });
  t.throws(() => parse('[{},{},[1,2,3]]', 5), { code: 'INVALID_REQUEST', message: /more than 5 names and elements/ });
  t.doesNotThrow(() => parse('[{},{},[1,2,3]]', 6));
  t.end();
});

t.test('keeps the bytes of large values, at any level', (t) => {
  const input = { messages: Array.from({ length: 100 }, (_, at) => ({ content: FILLER, at })) };
  const text = `{"assistant_id":"a", "input": ${JSON.stringify(input)} ,"small":[1]}`;
  const body = parse(text) as Record<string, unknown>;
  t.equal(Buffer.from(sourceOf(body['input'])!).toString(), JSON.stringify(input));
  t.equal(memberCountOf(body['input']), 1 + 100 + 200);
  t.equal(memberCountOf(body), 3 + 301 + 1);
  t.equal(sourceOf(body['small']), undefined);
  t.end();
});
