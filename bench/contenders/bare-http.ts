import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The least that a Node server can do: what it takes to answer is the machine's own share of a latency. */
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"ok":true}');
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
