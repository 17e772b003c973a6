import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A minimal Node server. Its latency is the share of the machine in other latencies. */
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"ok":true}');
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
