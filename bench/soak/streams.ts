import { expectThat, type SoakClient } from './client.js';

const CHUNKS = 300;
const BREAKS = 3;

interface StreamEvent {
  id: string;
  event: string;
  data: string;
}

/** Interrupts a resumable stream several times and resumes it after the last event. Every chunk must arrive once. */
export async function interruptedStream(client: SoakClient, round: number): Promise<void> {
  await client.withThread(async (threadId) => {
    const got: number[] = [];
    let lastId = '';
    const take = ({ id, event, data }: StreamEvent): void => {
      if (id !== '') lastId = id;
      expectThat(event !== 'error', `a stream sent an error: ${data.slice(0, 200)}`);
      if (event === 'custom') got.push((JSON.parse(data) as { i: number }).i);
    };
    const request = {
      assistant_id: 'chunks',
      input: { n: CHUNKS, size: 40 },
      stream_mode: 'custom',
      stream_resumable: true,
      on_disconnect: 'continue',
    };
    let [path, init]: [string, RequestInit] = [
      `/threads/${threadId}/runs/stream`,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) },
    ];
    for (let part = 0; part <= BREAKS; part += 1) {
      const enough = part === BREAKS ? Infinity : 1 + ((round * 31 + part * 67) % (CHUNKS / 2));
      const location = await readEvents(`${client.url}${path}`, init, enough, take);
      if (part === 0) path = location;
      init = { headers: { 'last-event-id': lastId } };
      if (part < BREAKS) client.count('streams broken off and resumed');
    }
    expectThat(
      got.length === CHUNKS && got.every((chunk, at) => chunk === at),
      `a resumed stream has ${got.length} chunks, ${new Set(got).size} of them different, of ${CHUNKS}`,
    );
    const { status } = await client.ask<{ status: string }>('GET', path.replace(/\/stream.*$/, ''));
    expectThat(status === 'success', `a streamed run is ${status}`);
  });
  client.count('streams read to their end');
}

/** Passes events to `take`, and disconnects after `enough` of them. Returns the Location header. */
async function readEvents(
  url: string,
  init: RequestInit,
  enough: number,
  take: (part: StreamEvent) => void,
): Promise<string> {
  const connection = new AbortController();
  const response = await fetch(url, { ...init, signal: connection.signal });
  if (response.status !== 200)
    throw new Error(`a stream returned ${response.status}: ${(await response.text()).slice(0, 200)}`);
  let text = '';
  let events = 0;
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return response.headers.get('location') ?? '';
    text += value;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const part = parse(text.slice(0, end));
      text = text.slice(end + 2);
      if (part === null) continue;
      take(part);
      events += 1;
      if (events < enough) continue;
      connection.abort();
      await reader.cancel().catch(() => undefined);
      return response.headers.get('location') ?? '';
    }
  }
}

function parse(block: string): StreamEvent | null {
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
  const event = field('event');
  return event === '' ? null : { id: field('id'), event, data: field('data') };
}
