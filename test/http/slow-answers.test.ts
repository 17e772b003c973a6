import t, { type Test } from 'tap';
import { Exchange } from '../../src/http/transport/exchange.js';
import { serveAll } from '../helpers/transport.js';

const BYTES_MAX = 64 * 1024 * 1024;
/** uWS closes what is idle after 10 s, and looks every 4 s. */
const SLOW_MS = 15_000;

type Answer = (exchange: Exchange, text: string) => void;

/** Nothing for a long time, then all of it. */
const whole: Answer = (exchange, text) => setTimeout(() => exchange.reply(200, {}, text), SLOW_MS);

/** A beginning at once, and nothing for a long time before the end. */
const quietStream: Answer = (exchange, text) => {
  const out = exchange.open(200, {});
  out.flushHead();
  setTimeout(() => out.end(text), SLOW_MS);
};

/** A server that reads a body by `take` and answers the number of its bytes. */
async function slowServer(t: Test, take: (exchange: Exchange) => Promise<number>, answer: Answer): Promise<string> {
  const port = await serveAll(t, (res, req) => {
    const exchange = new Exchange(res, req, () => ({}));
    void take(exchange).then((bytes) => answer(exchange, String(bytes)));
  });
  return `http://127.0.0.1:${port}/`;
}

async function forwarded(exchange: Exchange): Promise<number> {
  let bytes = 0;
  await exchange.forwardBody(BYTES_MAX, {
    pass(chunk) {
      bytes += chunk.byteLength;
    },
    mustPause: () => false,
  });
  return bytes;
}

async function heldFirst(exchange: Exchange): Promise<number> {
  exchange.holdBody(BYTES_MAX);
  await new Promise((resolve) => setTimeout(resolve, 200));
  return forwarded(exchange);
}

t.test('allows slow responses, however large the body and however it was read', async (t) => {
  const ways: [name: string, take: typeof forwarded, answer: Answer][] = [
    ['read at once', forwarded, whole],
    ['held first', heldFirst, whole],
    ['read at once, answered by a quiet stream', forwarded, quietStream],
    ['held first, answered by a quiet stream', heldFirst, quietStream],
  ];
  const sizes = [0, 1_000, 1_500_000, 30_000_000];
  await Promise.all(
    ways.flatMap(async ([way, take, answer]) => {
      const url = await slowServer(t, take, answer);
      await Promise.all(
        sizes.map(async (size) => {
          const name = `${size} bytes ${way}`;
          try {
            const response = await fetch(url, { method: 'POST', body: Buffer.alloc(size) });
            t.equal((await response.text()).trim(), String(size), name);
          } catch (error) {
            t.fail(`${name}: ${String((error as Error).cause ?? error)}`);
          }
        }),
      );
    }),
  );
});
