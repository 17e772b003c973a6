/** No framework: a fetch function that knows two addresses. */
export default {
  greeting: 'plainly',
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/plain')
      return Response.json({
        method: request.method,
        greeting: this.greeting,
        body: request.method === 'POST' ? await request.text() : null,
      });
    if (pathname === '/info') return new Response('mine', { status: 404 });
    return new Response('no such page of mine', { status: 404, headers: { 'x-mine': 'yes' } });
  },
};
export const nothing = 5;
