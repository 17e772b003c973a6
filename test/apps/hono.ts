import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client } from '@langchain/langgraph-sdk';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { streamSSE } from 'hono/streaming';

interface Bindings {
  user: { identity: string } | null;
}

const letters: unknown[] = [];

export const app = new Hono<{ Bindings: Bindings }>();

app.use('/info', async (c, next) => {
  if (c.req.query('interrupt') !== undefined) return c.text('interrupted', 418);
  await next();
  c.header('x-js-middleware', 'true');
  c.header('set-cookie', 'one=1');
  c.header('set-cookie', 'two=2', { append: true });
});
app.use('/threads/*', async (c, next) => {
  if (c.req.query('locked') !== undefined) return c.text('locked', 423);
  const as = c.req.query('as');
  // A session of the app's own becomes a key that the server knows.
  if (as !== undefined) c.req.raw.headers.set('x-api-key', as);
  await next();
});
app.use('/threads', async (c, next) => {
  if (c.req.header('x-replace') !== undefined) {
    const body = await c.req.json<Record<string, unknown>>();
    c.req.raw = new Request(c.req.raw.url, {
      method: 'POST',
      headers: c.req.raw.headers,
      body: JSON.stringify({ ...body, metadata: { replaced: true } }),
    });
  } else if (c.req.header('x-mutate') !== undefined) {
    const body = await c.req.json<Record<string, unknown>>();
    c.req.json = async <T>() => ({ ...body, metadata: { mutated: true } }) as T;
  } else if (c.req.header('x-in-place') !== undefined) {
    (await c.req.json<{ metadata: Record<string, unknown> }>()).metadata['added'] = true;
  } else if (c.req.header('x-look') !== undefined) {
    await c.req.text();
  }
  await next();
  if (c.req.header('x-veto') !== undefined) c.res = c.text('vetoed', 451);
  if (c.req.header('x-read') !== undefined)
    c.res = Response.json({ seen: (await c.res.json()) as unknown }, { status: c.res.status });
  if (c.req.header('x-break') !== undefined) throw new Error('broken on purpose');
});
app.use('/assistants/*', compress({ threshold: 0 }));
app.use('/runs/*', async (c, next) => {
  await next();
  c.res.headers.set('x-streamed', c.res.headers.get('content-type') ?? '');
  if (c.req.header('x-read') !== undefined) c.res = Response.json({ seen: await c.res.text() });
});

app.get('/hello/:name', (c) =>
  c.json({ hello: c.req.param('name'), user: c.env.user, id: c.req.header('x-request-id') ?? null }),
);
app.post('/echo', async (c) =>
  c.body(await c.req.arrayBuffer(), 200, { 'content-type': c.req.header('content-type') ?? 'text/plain' }),
);
app.post('/unread', (c) => c.text('not read', 202));
app.get('/runs/afakeroute', (c) => c.text('mine'));
app.get('/ok', (c) => c.text('hijacked'));
app.get('/throws', () => {
  throw new Error('a route that throws');
});
app.get('/nothing', (() => undefined) as never);
app.get('/number', () => 7 as never);
app.get('/odd-status', () => ({ status: 700, headers: new Headers(), body: null }) as never);
app.get('/empty', (c) => c.body(null, 204));
app.get('/missing', (c) => c.notFound());
app.get('/events', (c) =>
  streamSSE(c, async (stream) => {
    for (let at = 0; at < 3; at += 1) await stream.writeSSE({ data: String(at), event: 'count' });
  }),
);
app.get('/large', (c) =>
  c.body(
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < 80; at += 1) controller.enqueue(new Uint8Array(100_000).fill(at));
        controller.close();
      },
    }),
  ),
);
app.get('/breaks', (c) =>
  c.body(
    new ReadableStream({
      async pull(controller) {
        controller.enqueue(Buffer.from('begun'));
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
        controller.error(new Error('broke on purpose'));
      },
    }),
  ),
);
app.get(
  '/until-gone',
  (c) =>
    new Promise<Response>((resolve) => {
      letters.push('came');
      c.req.raw.signal.addEventListener('abort', () => {
        letters.push('left');
        resolve(c.text('too late'));
      });
    }),
);
app.get('/collect-garbage', (c) => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return c.body(null, 204);
});
/** Blocks its thread without using the CPU, which the other tests need. */
app.get('/blocks', (c) => c.text(Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)));
app.post('/letters', async (c) => {
  letters.push({ body: (await c.req.json()) as unknown, signature: c.req.header('webhook-signature') !== undefined });
  return c.body(null, 204);
});
app.get('/graphs', async (c) =>
  c.json((await new Client().assistants.search()).map(({ graph_id: graphId }) => graphId)),
);
app.get('/letters', (c) => c.json(letters));
