/** Responses to other requests that are written while uWebSockets.js corks the socket of a handler. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { noteHandler } from '../../src/http/transport/cork.js';
import { Exchange } from '../../src/http/transport/exchange.js';
import type { HttpRequest, HttpResponse } from '../../src/http/transport/http-app.js';

/** The socket that is corked: at most one. */
const corked = new Set<Socket>();

/** Sends what is written as uWebSockets.js does: at once, in one packet for each call, unless it is corked. */
class Socket implements HttpResponse {
  readonly packets: string[] = [];
  #corkedText = '';
  #onAborted: () => void = () => undefined;

  #send(text: string): this {
    if (corked.has(this)) this.#corkedText += text;
    else this.packets.push(text);
    return this;
  }

  hold(callback: () => void): void {
    corked.add(this);
    callback();
    corked.clear();
    if (this.#corkedText !== '') this.packets.push(this.#corkedText);
    this.#corkedText = '';
  }

  cork(callback: () => void): this {
    if (corked.size === 0) this.hold(callback);
    else callback();
    return this;
  }

  abort(): void {
    this.#onAborted();
  }

  onAborted(callback: () => void): this {
    this.#onAborted = callback;
    return this;
  }

  writeStatus(status: string): this {
    return this.#send(`${status}\n`);
  }

  writeHeader(name: string, value: string): this {
    return this.#send(`${name}: ${value}\n`);
  }

  write(chunk: Uint8Array | string): boolean {
    this.#send(`\n${Buffer.from(chunk).toString()}`);
    return true;
  }

  end(body: Uint8Array | string = ''): this {
    return this.#send(`\n${Buffer.from(body).toString()}`);
  }

  endWithoutBody(): this {
    return this.end();
  }

  getRemoteAddressAsText(): ArrayBuffer {
    return new ArrayBuffer(0);
  }

  onData(): this {
    return this;
  }

  onWritable(): this {
    return this;
  }

  pause(): void {}

  resume(): void {}

  close(): this {
    return this;
  }

  upgrade(): void {}
}

const REQUEST: HttpRequest = {
  getMethod: () => 'get',
  getUrl: () => '/threads',
  getQuery: () => undefined,
  getParameter: () => undefined,
  forEach: () => undefined,
};

function request(): { socket: Socket; exchange: Exchange } {
  const socket = new Socket();
  return { socket, exchange: new Exchange(socket, REQUEST, () => ({})) };
}

/** Calls `handler` as the handler of another request. */
function duringHandler(handler: () => void): void {
  const { socket } = request();
  socket.hold(() => {
    noteHandler(socket);
    handler();
  });
}

t.test('a response leaves in one packet, also when the handler of another request caused it', async (t) => {
  const { socket, exchange } = request();
  duringHandler(() => exchange.reply(200, { 'content-type': 'text/plain' }, 'made'));
  await nextTurn();
  t.equal(socket.packets.length, 1);
  t.match(socket.packets[0], /^200 OK\n[^]*content-type: text\/plain\n[^]*\nmade$/);
});

t.test('so does the beginning of a stream, with all that is written until then', async (t) => {
  const { socket, exchange } = request();
  duringHandler(() => {
    const stream = exchange.open(200, {});
    stream.write('one ');
    stream.write('two');
  });
  await nextTurn();
  t.equal(socket.packets.length, 1);
  t.match(socket.packets[0], /^200 OK\n[^]*\none two$/);
});

t.test('a handler replies at once, and so does everyone in a turn without handlers', async (t) => {
  const own = request();
  own.socket.hold(() => {
    noteHandler(own.socket);
    own.exchange.reply(204, {}, '');
  });
  t.equal(own.socket.packets.length, 1);
  await nextTurn();
  const other = request();
  other.exchange.reply(204, {}, '');
  t.equal(other.socket.packets.length, 1);
});

t.test('nothing is written after the client has disconnected', async (t) => {
  const replied = request();
  const streamed = request();
  duringHandler(() => {
    replied.exchange.reply(200, {}, 'late');
    streamed.exchange.open(200, {}).write('late');
  });
  for (const { socket } of [replied, streamed]) socket.abort();
  await nextTurn();
  t.strictSame([replied.socket.packets, streamed.socket.packets], [[], []]);
});
