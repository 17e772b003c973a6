import { Client } from '@langchain/langgraph-sdk';
import { Hono } from 'hono';

/** Without an address it asks the server that it runs in. */
const client = new Client();

export const app = new Hono();

/** A form of its own for callers that know nothing of threads and runs. */
app.get('/shout/:text', async (c) => {
  const { text } = (await client.runs.wait(null, 'shout', { input: { text: c.req.param('text') } })) as {
    text: string;
  };
  return c.text(text);
});

/** Around a built-in route: every answer of `/info` says who serves it. */
app.use('/info', async (c, next) => {
  await next();
  c.header('x-served-by', 'examples/custom-routes');
});
