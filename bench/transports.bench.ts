import type { Request } from 'autocannon';
import { defineBench, verify, type Row } from './bench.js';
import { findTransport } from '../src/http/transport/create-app.js';
import type { ThreadmillServer } from './contenders/threadmill.js';
import { ECHO_INPUT, ECHO_REQUEST } from './echo.js';
import { durationMs, sendJson, sendLoad, type Length } from './load.js';
import { alternate, cpuPerUnit, format, median, medianRatio } from './measure.js';

/** What stands at the end of every event stream of this graph, and in the body of the other answers. */
const CHECKED = 'second hello';

export default defineBench({
  name: 'transports',
  description: 'CPU time of the front thread for a request over node:http, and over uWebSockets.js',
  smoke: { clients: 16, rounds: 1, length: { requests: 64 } as Length },
  real: { clients: 16, rounds: 7, length: { seconds: 2 } as Length },
  async run(bench, { clients, rounds, length }) {
    const start = (transport: string): Promise<ThreadmillServer> =>
      bench.startServer({ workers: 1, dataFolder: bench.createFolder(), env: { THREADMILL_TRANSPORT: transport } });
    const node = await start('node');
    // Where it has no binary there is nothing to compare with.
    const hasUws = (await findTransport('auto')).name === 'uws';
    const uws = bench.isSmoke || !hasUws ? null : await start('uws');
    const rows: Row[] = [];
    for (const { what, requestAt } of REQUESTS) {
      const cpuAt = async (server: ThreadmillServer): Promise<() => Promise<number>> => {
        const request = await requestAt(server.url);
        const load = async (): Promise<number> =>
          (await sendLoad({ url: server.url, clients, length, request, check: (body) => body.includes(CHECKED) }))
            .responses;
        verify((await load()) > 0, `${what} at ${server.url}`);
        return async () => (await cpuPerUnit(server.pid, load))?.main ?? NaN;
      };
      const paired = await alternate(rounds, await cpuAt(node), uws === null ? null : await cpuAt(uws));
      const ratio = medianRatio(paired);
      rows.push({
        what: `${what}, CPU of the front thread`,
        ours: `${format.us(median(paired.ours))} over node:http`,
        reference: uws === null ? null : `${format.us(median(paired.reference))} over uWebSockets.js`,
        ratio: ratio === null ? null : format.ratio(ratio),
        budget: 'none',
        missed: null,
        method: [
          `${rounds} alternating rounds of ${durationMs(length) / 1_000} s, ${clients} clients, Node ${process.version}; ` +
            'CPU time of the main thread by the kernel, divided by the requests.',
          'Ratio of the two figures of a round, median of the rounds; every body has the last text of the graph.',
        ],
      });
    }
    return rows;
  },
});

const REQUESTS: { what: string; requestAt: (url: string) => Promise<Request> }[] = [
  {
    what: '`GET /threads/{id}/state`',
    async requestAt(url) {
      const { thread_id: threadId } = await sendJson<{ thread_id: string }>(url, 'POST', '/threads', {});
      await sendJson(url, 'POST', `/threads/${threadId}/runs/wait`, { assistant_id: 'echo', input: ECHO_INPUT });
      return { method: 'GET', path: `/threads/${threadId}/state` };
    },
  },
  { what: '`POST /runs/wait`', requestAt: async () => ECHO_REQUEST },
  {
    what: '`POST /runs/stream`, values and updates',
    requestAt: async () => ({
      method: 'POST',
      path: '/runs/stream',
      body: JSON.stringify({ assistant_id: 'echo', input: ECHO_INPUT, stream_mode: ['values', 'updates'] }),
    }),
  },
];
