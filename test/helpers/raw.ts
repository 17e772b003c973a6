import { connect } from 'node:net';

/**
 * Sends lines as they are, which no client of HTTP would, and gives the head of the answer. `done` closes our end after
 * them. Rejects when there is none.
 */
export function rawHead(port: number, lines: readonly string[], { body = '', done = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(Buffer.from(`${[...lines, 'Host: localhost'].join('\r\n')}\r\n\r\n${body}`, 'latin1'));
      if (done) socket.end();
    });
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) return;
      resolve(text.slice(0, end));
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`the connection was closed after ${JSON.stringify(text)}`)));
  });
}

/** A header of such a head; null when it is not there. Throws when it is there twice. */
export function headerOf(head: string, name: string): string | null {
  const values = head
    .split('\r\n')
    .slice(1)
    .filter((line) => line.toLowerCase().startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).trim());
  if (values.length > 1) throw new Error(`${name} comes ${values.length} times: ${head}`);
  return values[0] ?? null;
}

/**
 * Sends a text as it is and gives everything that comes back: until the server closes the connection, or the answer
 * matches `complete`.
 */
export function sendRaw(port: number, text: string, complete?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(text, 'latin1')));
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
      if (complete?.test(answer) === true) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}
