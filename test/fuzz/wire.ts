import { connect } from 'node:net';

export interface Answer {
  status: number;
  /** Names in lower case; one for each line. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
  /** `left`: it would have gone on. `broken`: the server ended the connection in the middle of it. */
  end: 'whole' | 'left' | 'broken';
}

/** What came of a request: an answer, a connection that was closed without one, or neither in time. */
export type Outcome = { answer: Answer } | { closed: string } | { silent: string };

export interface Sending {
  method: string;
  /** Our end is closed behind the request. */
  halfClose?: boolean;
  /** For the head, and then for the rest of an answer that is not left. */
  limitMs: number;
  /** How long a stream, or a wait that goes on, is listened to. */
  listenMs: number;
}

/** Sends bytes as they are over a connection of their own, and reads what comes back. */
export function exchange(
  port: number,
  bytes: Buffer,
  { method, halfClose = false, limitMs, listenMs }: Sending,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const chunks: Buffer[] = [];
    let size = 0;
    let whole: Buffer | null = null;
    let wanted = 0;
    const text = (): Buffer => (whole === null || whole.byteLength !== size ? (whole = Buffer.concat(chunks)) : whole);
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      clearTimeout(leaving);
      socket.destroy();
      resolve(outcome);
    };
    const shown = (): string => text().toString('latin1').slice(0, 500);
    const leave = (): void => {
      const answer = read(text(), method);
      settle(answer === null ? { silent: shown() } : { answer: { ...answer, end: 'left' } });
    };
    const timer = setTimeout(() => settle({ silent: shown() }), limitMs);
    let leaving: NodeJS.Timeout | undefined;
    socket.on('connect', () => {
      socket.write(bytes);
      if (halfClose) socket.end();
    });
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size < wanted) return;
      const answer = read(text(), method);
      if (answer === null) return;
      if (answer.end === 'whole') settle({ answer });
      else if (leaving === undefined && endless(answer)) leaving = setTimeout(leave, listenMs);
      wanted = answer.wanted;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const answer = read(text(), method);
      settle(
        answer === null
          ? { closed: shown() }
          : { answer: answer.end === 'whole' ? answer : { ...answer, end: 'broken' } },
      );
    });
  });
}

export function headerOf({ headers }: Answer, name: string): string | null {
  return headers.find(([one]) => one === name)?.[1] ?? null;
}

/** Events go on for as long as the run does; so do the newlines of a wait. */
function endless(answer: Answer): boolean {
  return (
    (headerOf(answer, 'content-type') ?? '').startsWith('text/event-stream') ||
    ((headerOf(answer, 'content-location') !== null || answer.body.byteLength > 0) &&
      answer.body.toString('latin1').trim() === '')
  );
}

/** Null while the head is not whole. `wanted`: bytes that must be there before it is worth another look. */
function read(bytes: Buffer, method: string): (Answer & { wanted: number }) | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [first, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${first!} `)?.[1] ?? 0);
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  const rest = bytes.subarray(end + 4);
  if (status === 100) return read(rest, method);
  const answer = { status, headers, body: rest, end: 'whole' as const, wanted: 0 };
  if (method === 'HEAD' || status === 204 || status === 304) return answer;
  if (headers.some(([name]) => name === 'transfer-encoding'))
    return { ...answer, ...unchunked(rest), wanted: bytes.byteLength + 1 };
  const length = Number(headers.find(([name]) => name === 'content-length')?.[1] ?? NaN);
  if (Number.isNaN(length)) return { ...answer, end: 'left' };
  return rest.byteLength >= length
    ? { ...answer, body: rest.subarray(0, length) }
    : { ...answer, end: 'left', wanted: end + 4 + length };
}

function unchunked(bytes: Buffer): { body: Buffer; end: 'whole' | 'left' } {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return { body: Buffer.concat(parts), end: 'left' };
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (size === 0) return { body: Buffer.concat(parts), end: 'whole' };
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
    if (at > bytes.byteLength) return { body: Buffer.concat(parts), end: 'left' };
  }
}
