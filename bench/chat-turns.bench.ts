import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { atMost, defineBench, verify, type Row } from './bench.js';
import type { Ours } from './contenders/ours.js';
import { ask } from './load.js';
import { median, show } from './measure.js';
import { StreamClient } from './stream-client.js';

const LATE_TIMES_MAX = 3;
const COLD_MS = 20;
const COLD_MS_PER_MESSAGE = 0.06;
const RAW_TIMES_MAX = 1.3;
const BYTES_PER_TURN = 4_096;
const EARLY_TURN = 10;

/** About what people type. */
const TEXT = 'a question of the length that people type when they want to know something. '.repeat(4);

export default defineBench({
  name: 'chat-turns',
  description: "A chat's late turns in updates mode: warm, after a restart, and on disk",
  smoke: { turns: 12, samples: 2, restarts: 1 },
  real: { turns: 1_000, samples: 25, restarts: 5 },
  async run(bench, { turns, samples, restarts }) {
    const folder = bench.folder();
    let ours = await bench.ours({ workers: 1, dataFolder: folder });
    const inProcess = await bench.inProcess();
    let client = new StreamClient(ours.url);
    bench.defer(() => client.close());

    // Bytes first: nothing else has been stored yet.
    await turn(client, randomUUID(), 0);
    const long = randomUUID();
    await ours.close();
    const bytesBefore = stored(folder);
    ({ ours, client } = await restart());
    let n = 0;
    for (; n < turns; n += 1) await turn(client, long, n);
    const { values } = await ask<{ values: { messages: { content: string }[] } }>(
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
    const bytes = stored(folder) - bytesBefore;
    const bytesMax = RAW_TIMES_MAX * raw + BYTES_PER_TURN * turns;

    // Cold: the first thing that a new process is asked.
    const cold: number[] = [];
    for (let i = 0; i < restarts; i += 1) {
      ({ ours, client } = await restart());
      cold.push(await turn(client, long, n++));
      if (i < restarts - 1) await ours.close();
    }

    // Warm: an early turn of a new chat and a late turn of the long one, in turns; in process the same.
    const early: number[] = [];
    const late: number[] = [];
    const earlyAlone: number[] = [];
    const lateAlone: number[] = [];
    for (let i = 0; i < 30 && !bench.oursOnly; i += 1) await turn(client, long, n++);
    for (let i = 0; i < samples; i += 1) {
      const short = randomUUID();
      for (let at = 0; at < EARLY_TURN; at += 1) {
        const ms = await turn(client, short, at);
        if (at === EARLY_TURN - 1) early.push(ms);
      }
      await turn(client, long, n++);
      late.push(await turn(client, long, n++));
      if (inProcess === null) continue;
      const alone = async (chat: string, to: number): Promise<number> =>
        (await inProcess.run({ type: 'chat', graphId: 'chat', chat, turn: to, saver: 'kept', text: TEXT })).ms;
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
            ? show.ms(median(late))
            : `+${show.ms(addedLate)} (${show.ms(median(late))} less ${show.ms(median(lateAlone))} in process)`,
        reference:
          addedEarly === null
            ? null
            : `+${show.ms(addedEarly)} at the ${EARLY_TURN}th (${show.ms(median(early))} less ${show.ms(median(earlyAlone))})`,
        ratio: show.ratio(times),
        budget: `at most ${LATE_TIMES_MAX} × the ${EARLY_TURN}th turn's`,
        missed: atMost(times, LATE_TIMES_MAX),
        method: [
          `${samples} late turns that alternate with ${EARLY_TURN}th turns of new chats, one graph worker; added: less the same turn in process with a saver that only keeps the objects.`,
          check,
        ],
      },
      {
        what: 'the same, cold: the first request after a restart',
        ours: addedCold === null ? show.ms(median(cold)) : `+${show.ms(addedCold)}`,
        reference: null,
        ratio: null,
        budget: `at most ${coldMax.toFixed(0)} ms (20 ms + 60 µs a message)`,
        missed: atMost(addedCold, coldMax),
        method: [
          `${restarts} restarts, nothing warmed up but the graphs' loading; added: less the warm turn in process.`,
          check,
        ],
      },
      {
        what: `bytes on disk of ${turns.toLocaleString('en-US')} turns`,
        ours: show.bytes(bytes),
        reference: `${show.bytes(raw)} raw`,
        ratio: `${(bytes / raw).toFixed(2)} × raw; ${show.bytes((bytes - RAW_TIMES_MAX * raw) / turns)} a turn above 1.3 × raw`,
        budget: `at most ${show.bytes(bytesMax)} (1.3 × raw + 4 KB a turn)`,
        missed: turns < 100 ? null : atMost(bytes, bytesMax),
        method: [
          'Blocks of the data file after the server closed, less those before the chat; raw: the JSON of all messages.',
          check,
        ],
      },
    ];
    return rows;

    async function restart(): Promise<{ ours: Ours; client: StreamClient }> {
      client.close();
      const server = await bench.ours({ workers: 1, dataFolder: folder });
      return { ours: server, client: new StreamClient(server.url) };
    }
  },
});

/** Says the n-th thing (from 0) and checks the answer; how long it took, from the request to the stream's end. */
async function turn(client: StreamClient, threadId: string, n: number): Promise<number> {
  const result = await client.read('POST', `/threads/${threadId}/runs/stream`, {
    assistant_id: 'chat',
    stream_mode: 'updates',
    if_not_exists: 'create',
    input: { messages: [{ role: 'user', content: TEXT, id: `u${n}` }] },
  });
  verify(
    result.events === 2 && result.lastData.includes(`"${2 * n + 1}: `),
    `turn ${n}: ${result.events} events, the last ${result.lastData.slice(0, 200)}`,
  );
  return result.totalMs;
}

function stored(folder: string): number {
  return statSync(join(folder, 'data.mdb')).blocks * 512;
}
