/** A request as it is to go out, before it is bytes. */
export interface Message {
  method: string;
  target: string;
  headers: (readonly [name: string, value: string])[];
  body: Buffer;
}

/** Latin-1, as HTTP/1.1 has it: a char is a byte. */
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

function head({ method, target, headers }: Message, version = 'HTTP/1.1', end = '\r\n'): string {
  return [`${method} ${target} ${version}`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join(end);
}

const withHeaders = (message: Message, ...more: (readonly [string, string])[]): Buffer =>
  Buffer.concat([latin(head({ ...message, headers: [...message.headers, ...more] })), message.body]);
const length = ({ body }: Message): string => String(body.byteLength);

/** The request as it should go out. A body that is empty is one of no bytes, not none. */
export function framed(message: Message, hasBody: boolean): Buffer {
  return hasBody ? withHeaders(message, ['content-length', length(message)]) : latin(head(message));
}

function chunks(body: Buffer, size: number): string {
  const parts: string[] = [];
  for (let at = 0; at < body.byteLength; at += size) {
    const part = body.subarray(at, at + size);
    parts.push(`${part.byteLength.toString(16)}\r\n${part.toString('latin1')}\r\n`);
  }
  return parts.join('');
}

const chunked = (message: Message, body: string, said = 'chunked'): Buffer =>
  Buffer.concat([latin(head({ ...message, headers: [...message.headers, ['transfer-encoding', said]] })), latin(body)]);
const saying = (message: Message, said: string): Buffer => withHeaders(message, ['content-length', said]);
const twisted = (message: Message, twist: (text: string) => string): Buffer =>
  latin(
    twist(
      `${head({ ...message, headers: [...message.headers, ['content-length', length(message)]] })}${message.body.toString('latin1')}`,
    ),
  );

/** Ways to say wrongly where a request ends, and heads that are none. */
export const FRAMINGS: Readonly<Record<string, (message: Message) => Buffer>> = {
  chunked: (message) => chunked(message, `${chunks(message.body, 1_000)}0\r\n\r\n`),
  'chunked by bytes': (message) => chunked(message, `${chunks(message.body.subarray(0, 2_000), 1)}0\r\n\r\n`),
  'chunked without end': (message) => chunked(message, chunks(message.body, 1_000)),
  'chunked and nothing': (message) => chunked(message, '0\r\n\r\n'),
  'a chunk of no size': (message) => chunked(message, `zz\r\n${message.body.toString('latin1')}\r\n0\r\n\r\n`),
  'a huge chunk': (message) => chunked(message, 'ffffffffffffffff\r\nx\r\n0\r\n\r\n'),
  'a chunk that is longer': (message) => chunked(message, `2\r\n${message.body.toString('latin1')}\r\n0\r\n\r\n`),
  'a chunk with an extension': (message) => chunked(message, `1;a=b\r\n{\r\n1\r\n}\r\n0\r\n\r\n`),
  'chunks and a trailer': (message) => chunked(message, `${chunks(message.body, 1_000)}0\r\nx: y\r\n\r\n`),
  'another coding': (message) => chunked(message, `${chunks(message.body, 1_000)}0\r\n\r\n`, 'gzip, chunked'),
  'both lengths': (message) =>
    Buffer.concat([
      latin(
        head({
          ...message,
          headers: [...message.headers, ['content-length', length(message)], ['transfer-encoding', 'chunked']],
        }),
      ),
      latin(`${chunks(message.body, 1_000)}0\r\n\r\n`),
    ]),
  'no length': (message) => withHeaders(message),
  'a short length': (message) => saying(message, String(Math.max(0, message.body.byteLength - 1))),
  'a long length': (message) => saying(message, String(message.body.byteLength + 7)),
  'two lengths': (message) => withHeaders(message, ['content-length', length(message)], ['content-length', '0']),
  'two equal lengths': (message) =>
    withHeaders(message, ['content-length', length(message)], ['content-length', length(message)]),
  'a list of lengths': (message) => saying(message, `${length(message)}, ${length(message)}`),
  'a negative length': (message) => saying(message, '-1'),
  'a signed length': (message) => saying(message, `+${length(message)}`),
  'a hexadecimal length': (message) => saying(message, '0x2'),
  'a length of 2^64': (message) => saying(message, '18446744073709551616'),
  'a length of 2^53': (message) => saying(message, '9007199254740993'),
  'an empty length': (message) => saying(message, ''),
  'HTTP/1.0': (message) => latin(head(message, 'HTTP/1.0')),
  'HTTP/9': (message) => latin(head(message, 'HTTP/9.9')),
  'no version': (message) => latin(`${message.method} ${message.target}\r\n\r\n`),
  'bare line feeds': (message) => latin(head(message, 'HTTP/1.1', '\n')),
  'the whole address': (message) => withHeaders({ ...message, target: `http://localhost${message.target}` }),
  'no host': (message) =>
    withHeaders({ ...message, headers: message.headers.filter(([name]) => name !== 'host') }, [
      'content-length',
      length(message),
    ]),
  'two hosts': (message) => withHeaders(message, ['host', 'other'], ['content-length', length(message)]),
  'a folded header': (message) => twisted(message, (text) => text.replace('host: ', 'host: \r\n ')),
  'a space before the colon': (message) => twisted(message, (text) => text.replace('host:', 'host :')),
  'a header without a name': (message) => twisted(message, (text) => text.replace('host:', ':')),
  'a NUL in a header': (message) => twisted(message, (text) => text.replace('localhost', 'local\x00host')),
  'many headers': (message) =>
    withHeaders(message, ...Array.from({ length: 150 }, (_, at): [string, string] => [`x-${at}`, 'y']), [
      'content-length',
      length(message),
    ]),
  'a long head': (message) => withHeaders(message, ['x', 'x'.repeat(40_000)], ['content-length', length(message)]),
  'a blank before the method': (message) => twisted(message, (text) => `\r\n${text}`),
  'bytes of TLS': () => latin('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  'an HTTP/2 preface': () => latin('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'another request behind': (message) =>
    Buffer.concat([framed(message, true), latin('GET /ok HTTP/1.1\r\nhost: localhost\r\n\r\n')]),
  'rubbish behind': (message) => Buffer.concat([framed(message, true), latin('\x00\xff rubbish')]),
};
