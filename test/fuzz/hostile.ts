import { gzipSync } from 'node:zlib';
import { constantFrom, nat, oneof, record, tuple, type Arbitrary } from 'fast-check';
import { leaf, type Change, type Tree } from './tree.js';

/** Names that mean something to JavaScript, to LangGraph, or to this server. */
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'then', 'toJSON', 'length', '', ' ', '\u0000', '\ud800', 'a.b', '$ref', 'thread_id', 'checkpoint_id', 'checkpoint_ns', 'graph_auth_user', 'langgraph_auth_user', '__pregel_send', '__error__', '__interrupt__', 'lc'];

/** Texts that are something else to somebody on their way. */
export const TEXTS = [
  '', ' ', '\u0000', 'a\u0000b', '\ud800', '\udfff\ud800', '\ufeff', '\u202e', '\u2028', '😀', 'é', 'e\u0301', '\r\n\r\ndata: x\n\n', '<script>', '../../etc/passwd', '%00', '%2e%2e', '.', '..', '*', '-', '[', '[]', '{}', '{"a":1}', 'null',
  'NaN', 'Infinity', '-1', '1e400', '0x10', '９', '99999999999999999999', '__proto__', 'constructor', 'undefined', 'true',
  '0001-01-01T00:00:00Z', '9999-12-31T23:59:60Z', '+275760-09-13T00:00:00.001Z', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00.123456789+23:59', '2026-01-01', 'yesterday',
  '00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', '{01a20000-0000-7000-8000-000000000000}', 'urn:uuid:01a20000-0000-7000-8000-000000000000',
  'eq(', 'and(eq(name, "x"), or())', 'and('.repeat(300), 'eq(metadata_key, "a")', 'like(name, "%")', 'a"b\\c', '(a+)+$', 'latest', '* * * * *'.slice(0, 7), '@yearly', '0 0 31 2 *', 'values.messages[0]', `values${'.a'.repeat(400)}`, 'messages[-1]', 'x'.repeat(2_000), 'x'.repeat(100_000), '\u{10ffff}'.repeat(700),
];

/** JSON that is right as JSON, or nearly, and wrong nearly everywhere. */
const RAW = [
  'null', 'true', 'false', '0', '-0', '-1', '1.5', '1e400', '-1e400', '1e-400', '2147483648', '-2147483649', '4294967296', '9007199254740993', '1e21', '123456789012345678901234567890', '0.1e-6',
  '[]', '{}', '[[]]', '[null]', '{"":null}', '{"__proto__":null}', '{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}', '{"toString":1,"valueOf":1,"then":1,"toJSON":1,"length":1e9}', '{"a":1,"a":2}',
  '{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],"kwargs":{}}', '{"lc":2,"type":"undefined"}', '{"lg_name":"Send","node":"first","args":1}', '{"__interrupt__":[]}', '[{"role":"user","content":[{"type":"text"}]}]',
  '"\\ud800"', '"\\u0000"', '"\\u007f\\u0080\\uffff"', 'NaN', 'undefined', "'x'", '01', '1.', '.5', '"\n"', '"\\x"', '[1,]', '{"a":1,}',
];

const repeated = (text: string, times: number, between = ''): Tree => ({ raw: Array<string>(times).fill(text).join(between) });
const LARGE: Tree[] = [
  { raw: `[${'1,'.repeat(20_000)}1]` }, { raw: `{${Array.from({ length: 3_000 }, (_, at) => `"k${at}":${at}`).join(',')}}` }, { raw: `"${'x'.repeat(300_000)}"` }, { raw: `"${'\\u0000'.repeat(50_000)}"` }, { raw: '1'.repeat(5_000) },
  { raw: `${'['.repeat(150)}${']'.repeat(150)}` }, { raw: `${'{"a":'.repeat(201)}1${'}'.repeat(201)}` }, { raw: `${'['.repeat(20_000)}${']'.repeat(20_000)}` }, repeated('[', 5_000),
];

export const hostileTree: Arbitrary<Tree> = oneof(
  { arbitrary: constantFrom(...RAW).map((raw): Tree => ({ raw })), weight: 8 },
  { arbitrary: constantFrom(...TEXTS).map(leaf), weight: 8 },
  { arbitrary: constantFrom(...LARGE), weight: 1 },
);

/** Something that is done to a body that fits. */
export const change: Arbitrary<Change> = record({
  at: nat(400),
  how: oneof<Arbitrary<Change['how']>[]>(
    hostileTree.map((replace) => ({ replace })), hostileTree.map((replace) => ({ replace })), hostileTree.map((replace) => ({ replace })),
    constantFrom<Change['how']>({ drop: true }, { twice: true }, { wrap: 1 }, { wrap: 3 }, { wrap: 250 }),
    tuple(constantFrom(...NAMES), hostileTree).map((member) => ({ member })),
  ),
});

/** Done to the bytes, of which it is known only how many they are. */
export type ByteChange = { cut: number } | { insert: string; at: number } | { instead: string };

export const byteChange: Arbitrary<ByteChange> = oneof(
  nat(100).map((cut) => ({ cut })),
  record({ at: nat(100), insert: constantFrom('\xff\xfe', '\x00', '\xc3\x28', '\xed\xa0\x80', '\xef\xbb\xbf', '\xf0\x9f', '}', '"', '\r\n', '\r\n--', '\n\n', '\\') }),
  constantFrom('', ' ', '{', '[', '"', 'x=1&y=2', '\xef\xbb\xbf{}', '\x1f\x8b', 'NaN', '\x00'.repeat(1_000), '-- \r\n\r\n', 'null\nnull', '{}{}').map((instead) => ({ instead })),
);

/** `at` and `cut` in hundredths of the length. */
export function changedBytes(bytes: Buffer, how: ByteChange): Buffer {
  if ('instead' in how) return Buffer.from(how.instead, 'latin1');
  const at = Math.floor(bytes.byteLength * ('cut' in how ? how.cut : how.at) / 100);
  return 'cut' in how ? bytes.subarray(0, at) : Buffer.concat([bytes.subarray(0, at), Buffer.from(how.insert, 'latin1'), bytes.subarray(at)]);
}

/** Bodies that say they are compressed, and are not, or not to their end. */
export const ENCODINGS: Readonly<Record<string, (plain: Buffer) => [said: string, bytes: Buffer]>> = {
  gzip: (plain) => ['gzip', gzipSync(plain)],
  'a lie': (plain) => ['gzip', plain],
  'the other lie': (plain) => ['identity', gzipSync(plain)],
  short: (plain) => ['gzip', gzipSync(plain).subarray(0, -5)],
  damaged: (plain) => ['gzip', changedBytes(gzipSync(plain), { at: 50, insert: '\xff\xff\xff' })],
  'two in one': (plain) => ['gzip', Buffer.concat([gzipSync(plain), gzipSync(plain)])],
  'more behind': (plain) => ['gzip', Buffer.concat([gzipSync(plain), Buffer.from('{}')])],
  br: (plain) => ['br', plain],
  deflate: (plain) => ['deflate', plain],
  unknown: (plain) => ['zstd', plain],
  'a list': (plain) => ['gzip, gzip', gzipSync(gzipSync(plain))],
  nothing: (plain) => ['', plain],
  nonsense: (plain) => ['__proto__', plain],
};

export const CONTENT_TYPES = ['', 'text/plain', 'application/json; charset=latin1', 'application/json;charset=utf-16', 'APPLICATION/JSON', 'application/x-ndjson', 'text/csv', 'multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary="a\\"b"', 'multipart/mixed; boundary=x', 'application/x-www-form-urlencoded', 'application/octet-stream', '*/*', ';', 'x'.repeat(3_000)];

/** Headers that the server reads, with what it does not expect in them. */
export const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['last-event-id', '-2'], ['last-event-id', '1e400'], ['last-event-id', '\xff'], ['last-event-id', '9007199254740993'], ['last-event-id', '-1'], ['last-event-id', '-'],
  ['if-match', '*'], ['if-match', '"'], ['if-match', 'W/"x", "y'], ['if-match', `"${'x'.repeat(5_000)}"`], ['if-none-match', '*'], ['if-none-match', '", ,"'],
  ['accept', ''], ['accept', 'text/event-stream'], ['accept', ';;;q=2'], ['range', 'bytes=0-0,-1'], ['mcp-protocol-version', '2025-03-26'], ['mcp-protocol-version', '\xff'], ['a2a-version', '9.9'], ['mcp-session-id', '\xe9'],
  ['x-request-id', 'a b'], ['x-request-id', 'x'.repeat(300)], ['traceparent', '00-00000000000000000000000000000000-0000000000000000-00'], ['traceparent', '\xff'], ['host', 'a"b<c'], ['host', ''],
  ['origin', 'null'], ['origin', 'https://a b'], ['access-control-request-method', '\xff'], ['access-control-request-headers', 'x'.repeat(5_000)], ['authorization', 'Bearer'], ['authorization', 'Basic ='], ['authorization', 'Bearer \xff'], ['x-api-key', ''], ['x-auth-scheme', 'langsmith'], ['cookie', '=;=;'], ['__proto__', 'x'], ['constructor', 'x'],
  ['expect', '100-continue'], ['expect', 'x'], ['upgrade', 'websocket'], ['connection', 'upgrade'], ['connection', 'close'], ['x-http-method-override', 'DELETE'], ['x-forwarded-host', 'evil'], ['content-length', '3'], ['transfer-encoding', 'identity'], ['x', 'x'.repeat(20_000)],
];

/** What may stand for a path parameter, as it goes over the wire. */
export const SEGMENTS = ['', '.', '..', '%2e%2e', '%2e%2e%2f%2e%2e%2fetc', '%00', 'a%00b', '%', '%z', '%ff', '%c3%28', '%ed%a0%80', '%2F', '%252e', '%F0%9F%98%80', '\xe9', '\xff', '*', ':thread_id', '__proto__', 'constructor', '-', '[]', '%5B%22a%22%5D', 'a.b', 'a|b:c', 'x'.repeat(300), 'x'.repeat(9_000), 'x'.repeat(40_000), '%20', '+', ';', 'null', '01A20000-0000-7000-8000-000000000000', '01a20000000070008000000000000000', '{01a20000-0000-7000-8000-000000000000}', '00000000-0000-0000-0000-000000000000', '1e3', 'search', 'count', 'batch', 'tokens'];

/** Query texts, as they go over the wire. */
export const QUERY_TEXTS = ['', '%', '%zz', '%00', '%ff', '%ed%a0%80', '=', '&&', '&=&', '%26', '+', '%2B', '[', '%5B%5D', '%5B%5B1%5D%5D', '%7B%22__proto__%22%3A1%7D', '%7B', '-1', '1e400', '0x1', '1e3', '9007199254740993', 'NaN', 'true', 'TRUE', '%20', 'a,b,,', 'a.b..c', '.', '*', '\xe9', 'x'.repeat(5_000), '%5B'.repeat(3_000), 'null', 'undefined', '2026-02-30', '2026-01-01T00:00:00Z', 'latest', '%EF%BC%91'];
