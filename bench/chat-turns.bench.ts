import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { atMost, defineBench, verify, type Row } from './bench.js';
import type { ThreadmillServer } from './contenders/threadmill.js';
import { sendJson } from './load.js';
import { median, format } from './measure.js';
import { question } from './graphs/prose.js';
import { StreamClient } from './stream-client.js';

const LATE_TIMES_MAX = 3;
const COLD_MS = 20;
const COLD_MS_PER_MESSAGE = 0.06;
const RAW_TIMES_MAX = 1.3;
const BYTES_PER_TURN = 4_096;
const EARLY_TURN = 10;

export default defineBench({
  name: 'chat-turns',
  description: "A chat's late turns in updates mode: warm, after a restart, and on disk",
  smoke: { turns: 12, samples: 2, restarts: 1 },
  real: { turns: 1_000, samples: 25, restarts: 5 },
  async run(bench, { turns, samples, restarts }) {
    const folder = bench.createFolder();
    let ours = await bench.startServer({ workers: 1, dataFolder: folder });
    const inProcess = await bench.startInProcess();
    let client = new StreamClient(ours.url);
    bench.onClose(() => client.close());

    // Disk size is measured first, before anything else is stored.
    await chatTurn(client, randomUUID(), 0);
    const long = randomUUID();
    await ours.close();
    const bytesBefore = storedBytes(folder);
    ({ ours, client } = await restart());
    let n = 0;
    for (; n < turns; n += 1) await chatTurn(client, long, n);
    const { values } = await sendJson<{ values: { messages: { content: string }[] } }>(
      ours.url,
      'GET',
      `/threads/${long}/state`,
    );
    verify(
      values.messages.length === 2 * turns && values.messages.at(-1)!.content.startsWith(`${2 * turns - 1}: `),
      `${2 * turns} messages, found ${values.messages.length}`,
    );
    const raw = Buffer.byteLength(JSON.stringify(values.messages));
    await ours.close();
    const bytes = storedBytes(folder) - bytesBefore;
    const bytesMax = RAW_TIMES_MAX * raw + BYTES_PER_TURN * turns;

    // Cold: the first request to a new process.
    const cold: number[] = [];
    for (let i = 0; i < restarts; i += 1) {
      ({ ours, client } = await restart());
      cold.push(await chatTurn(client, long, n++));
      if (i < restarts - 1) await ours.close();
    }

    // Warm: an early turn of a new chat and a late turn of the long one, alternately. The same in process.
    const early: number[] = [];
    const late: number[] = [];
    const earlyAlone: number[] = [];
    const lateAlone: number[] = [];
    for (let i = 0; i < 30 && !bench.isSmoke; i += 1) await chatTurn(client, long, n++);
    for (let i = 0; i < samples; i += 1) {
      const short = randomUUID();
      for (let at = 0; at < EARLY_TURN; at += 1) {
        const ms = await chatTurn(client, short, at);
        if (at === EARLY_TURN - 1) early.push(ms);
      }
      await chatTurn(client, long, n++);
      late.push(await chatTurn(client, long, n++));
      if (inProcess === null) continue;
      const alone = async (chat: string, to: number): Promise<number> =>
        (await inProcess.run({ type: 'chat', graphId: 'chat', chat, turn: to, saver: 'kept' })).ms;
      earlyAlone.push(await alone(short, EARLY_TURN));
      await alone('long', n - 1);
      lateAlone.push(await alone('long', n));
    }
    const addedEarly = inProcess === null ? null : median(early) - median(earlyAlone);
    const addedLate = inProcess === null ? null : median(late) - median(lateAlone);
    const times = addedEarly === null || addedLate === null ? null : addedLate / addedEarly;
    const addedCold = inProcess === null ? null : median(cold) - median(lateAlone);
    const coldMax = COLD_MS + COLD_MS_PER_MESSAGE * 2 * turns;
    const check = "Every stream's last event is the answer with the right number; the whole state is read and counted.";
    const rows: Row[] = [
      {
        what: `a chat's ${turns.toLocaleString('en-US')}th turn, \`updates\` mode, last worker reused`,
        ours:
          addedLate === null
            ? format.ms(median(late))
            : `${format.addedMs(addedLate)} (${format.ms(median(late))} less ${format.ms(median(lateAlone))} in process)`,
        reference:
          addedEarly === null
            ? null
            : `${format.addedMs(addedEarly)} at the ${EARLY_TURN}th (${format.ms(median(early))} less ` +
              `${format.ms(median(earlyAlone))})`,
        ratio: format.ratio(times),
        budget: `at most ${LATE_TIMES_MAX} × the ${EARLY_TURN}th turn's`,
        missed: atMost(times, LATE_TIMES_MAX),
        method: [
          `${samples} late turns that alternate with ${EARLY_TURN}th turns of new chats, one graph worker. The ` +
            'added time is the difference to the same turn in process, with a saver that only keeps the objects.',
          check,
        ],
      },
      {
        what: 'the same, cold: the first request after a restart',
        ours: addedCold === null ? format.ms(median(cold)) : format.addedMs(addedCold),
        reference: null,
        ratio: null,
        budget: `at most ${coldMax.toFixed(0)} ms (20 ms + 60 µs a message)`,
        missed: atMost(addedCold, coldMax),
        method: [
          `${restarts} restarts, without warm-up other than loading the graphs. The added time is the difference ` +
            'to the warm turn in process.',
          check,
        ],
      },
      {
        what: `bytes on disk of ${turns.toLocaleString('en-US')} turns`,
        ours: format.bytes(bytes),
        reference: `${format.bytes(raw)} raw`,
        ratio:
          `${(bytes / raw).toFixed(2)} × raw; ${format.bytes((bytes - RAW_TIMES_MAX * raw) / turns)} a turn above ` +
          '1.3 × raw',
        budget: `at most ${format.bytes(bytesMax)} (1.3 × raw + 4 KB a turn)`,
        missed: turns < 100 ? null : atMost(bytes, bytesMax),
        method: [
          'Blocks of the data file after the server closed, less those before the chat; raw: the JSON of all messages.',
          check,
        ],
      },
    ];
    return rows;

    async function restart(): Promise<{ ours: ThreadmillServer; client: StreamClient }> {
      client.close();
      const server = await bench.startServer({ workers: 1, dataFolder: folder });
      return { ours: server, client: new StreamClient(server.url) };
    }
  },
});

/** Runs turn `n` (from 0) and checks the answer. Returns the time in ms from the request to the end of the stream. */
async function chatTurn(client: StreamClient, threadId: string, n: number): Promise<number> {
  const result = await client.read('POST', `/threads/${threadId}/runs/stream`, {
    assistant_id: 'chat',
    stream_mode: 'updates',
    if_not_exists: 'create',
    input: { messages: [{ role: 'user', content: question(n), id: `u${n}` }] },
  });
  verify(
    result.events === 2 && result.lastData.includes(`"${2 * n + 1}: `),
    `turn ${n}: ${result.events} events, the last ${result.lastData.slice(0, 200)}`,
  );
  return result.totalMs;
}

/** Bytes on disk of the data file. */
function storedBytes(folder: string): number {
  return statSync(join(folder, 'data.mdb')).blocks * 512;
}
