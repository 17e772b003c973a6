import { randomUUID } from 'node:crypto';
import { isEnd } from '../../test/helpers/protocol.js';
import { TestSocket } from '../../test/helpers/sockets.js';
import { expectThat, type SoakClient } from './client.js';

const CHANNELS = ['values', 'lifecycle'];

/** Starts a run over a WebSocket and follows it. Every third one disconnects before the run ends. */
export async function webSocketRun(client: SoakClient, round: number): Promise<void> {
  const threadId = randomUUID();
  const socket = new TestSocket(client.url, threadId);
  const left = socket.closed();
  // A close follows each error, and the round waits for it.
  socket.ws.on('error', () => undefined);
  const orClosed = <T>(answer: Promise<T>): Promise<T> =>
    Promise.race([
      answer,
      left.then(([code, reason]) => {
        throw new Error(`a WebSocket was closed: ${code} ${reason}`);
      }),
    ]);
  try {
    await orClosed(socket.open());
    expectThat(
      (await orClosed(socket.ask('subscription.subscribe', { channels: CHANNELS }))).type === 'success',
      'no subscription',
    );
    const { result, message } = await orClosed(
      socket.ask('run.start', { assistant_id: 'echo', input: { text: 'socket' } }),
    );
    expectThat(typeof result?.['run_id'] === 'string', `no run over a WebSocket: ${message}`);
    if (round % 3 !== 0) {
      const { params } = await orClosed(socket.until(() => socket.events.find(isEnd)));
      expectThat(params.data.event === 'completed', `a run over a WebSocket ended as ${params.data.event}`);
    }
  } finally {
    socket.ws.close();
    await left.catch(() => undefined);
  }
  await client.ask('GET', `/threads/${threadId}/runs/${await onlyRunOf(client, threadId)}/join`);
  await client.ask('DELETE', `/threads/${threadId}`);
  client.count('WebSockets');
}

async function onlyRunOf(client: SoakClient, threadId: string): Promise<string> {
  const [run] = await client.ask<{ run_id: string }[]>('GET', `/threads/${threadId}/runs`);
  return run!.run_id;
}
