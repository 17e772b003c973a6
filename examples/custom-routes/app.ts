import { Client } from '@langchain/langgraph-sdk';
import { Hono } from 'hono';

/** Without an address the client calls its own server. */
const client = new Client();

export const app = new Hono();

/** A simple route for clients that do not know threads and runs. */
app.get('/shout/:text', async (c) => {
  const { text } = (await client.runs.wait(null, 'shout', { input: { text: c.req.param('text') } })) as {
    text: string;
  };
  return c.text(text);
});

/** Middleware for a built-in route: adds a header to every response of `/info`. */
app.use('/info', async (c, next) => {
  await next();
  c.header('x-served-by', 'examples/custom-routes');
});
