import { Hono } from 'hono';

export const covering = new Hono();
covering.use('/threads/*', async (c, next) => {
  await next();
  c.header('x-served-by', 'bench');
});

export const elsewhere = new Hono();
elsewhere.get('/hello', (c) => c.text('hello'));
