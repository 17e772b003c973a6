import { existsSync, writeFileSync } from 'node:fs';

/** A Response by its shape: a project may bring another class than the platform's, which checks less. */
const shaped = (headers, more = {}) => ({ status: 200, headers, body: null, ...more });

const ROUTES = {
  '/value': () =>
    shaped([
      ['x-good', 'yes'],
      ['x-bad', 'a\r\nset-cookie: planted=1\r\n\r\n<script>planted</script>'],
    ]),
  '/name': () =>
    shaped([
      ['x-good', 'yes'],
      ['x-bad: 1\r\nset-cookie', 'planted=1'],
    ]),
  '/cookie': () =>
    shaped([
      ['x-good', 'yes'],
      ['set-cookie', 'one=1\r\nx-planted: 1'],
    ]),
  '/nul': () =>
    shaped([
      ['x-good', 'yes'],
      ['x-bad', 'a\0b'],
      ['x-wide', 'ä→'],
    ]),
  '/odd': () =>
    shaped([
      ['x-good', 'yes'],
      ['x-number', 7],
      ['x-object', {}],
      ['x-none', undefined],
      [Symbol.iterator, 'x'],
      'text',
      null,
    ]),
  '/framing': () =>
    shaped([
      ['x-good', 'yes'],
      ['content-length', '5'],
      ['Content-Length', '6'],
      ['transfer-encoding', 'chunked'],
      ['Transfer-Encoding', 'chunked'],
      ['Connection', 'close'],
    ]),
  '/proto': () =>
    shaped([
      ['x-good', 'yes'],
      ['__proto__', 'polluted'],
      ['constructor', 'polluted'],
    ]),
  '/no-headers': () => shaped(null),
  '/many': () => shaped(Array.from({ length: 20_000 }, (_, n) => [`x-${n}`, 'v'])),
  '/long': () => shaped([['x-long', 'v'.repeat(2_000_000)]]),
  '/status-text': () => shaped([], { status: '200\r\nx-planted: 1' }),
  '/status-fraction': () => shaped([], { status: 200.5 }),
  '/status-low': () => shaped([], { status: 101 }),
  '/hangs': () => new Promise(() => undefined),
  '/hangs-in-body': () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('first'));
        },
      }),
    ),
  '/endless': (url) => {
    const file = url.searchParams.get('file');
    return new Response(
      new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(65_536));
        },
        cancel() {
          writeFileSync(file, 'cancelled');
        },
      }),
    );
  },
  '/chunks': () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(10));
          controller.enqueue({ not: 'bytes' });
          controller.close();
        },
      }),
    ),
  '/huge-chunk': () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(64 * 1024 * 1024));
          controller.close();
        },
      }),
    ),
  '/throws-getter': () => ({
    get status() {
      throw new Error('a getter that throws');
    },
  }),
  '/throws-odd': () => {
    throw {
      get message() {
        throw new Error('no message');
      },
      toString() {
        throw new Error('no text');
      },
    };
  },
  '/exists': (url) => Response.json(existsSync(url.searchParams.get('file'))),
};

/** What a careless or hostile app may return. */
export default {
  async fetch(request) {
    const url = new URL(request.url);
    const route = ROUTES[url.pathname];
    return route === undefined ? new Response('none', { status: 404 }) : route(url);
  },
};
