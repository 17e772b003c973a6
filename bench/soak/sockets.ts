import { randomUUID } from 'node:crypto';
import { isEnd } from '../../test/helpers/protocol.js';
import { TestSocket } from '../../test/helpers/sockets.js';
import { expect, type SoakClient } from './client.js';

const CHANNELS = ['values', 'lifecycle'];

/** A WebSocket that starts a run, follows it to its end and goes; every third one goes before the end. */
export async function webSocket(client: SoakClient, round: number): Promise<void> {
  const threadId = randomUUID();
  const socket = new TestSocket(client.url, threadId);
  const left = socket.closed();
  // An error is followed by a close, which is what a round waits for beside its answers.
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
    expect(
      (await orClosed(socket.ask('subscription.subscribe', { channels: CHANNELS }))).type === 'success',
      'no subscription',
    );
    const { result, message } = await orClosed(
      socket.ask('run.start', { assistant_id: 'echo', input: { text: 'socket' } }),
    );
    expect(typeof result?.['run_id'] === 'string', `no run over a WebSocket: ${message}`);
    if (round % 3 !== 0) {
      const { params } = await orClosed(socket.until(() => socket.events.find(isEnd)));
      expect(params.data.event === 'completed', `a run over a WebSocket ended as ${params.data.event}`);
    }
  } finally {
    socket.ws.close();
    await left.catch(() => undefined);
  }
  await client.ask('GET', `/threads/${threadId}/runs/${await runOf(client, threadId)}/join`);
  await client.ask('DELETE', `/threads/${threadId}`);
  client.did('WebSockets');
}

async function runOf(client: SoakClient, threadId: string): Promise<string> {
  const [run] = await client.ask<{ run_id: string }[]>('GET', `/threads/${threadId}/runs`);
  return run!.run_id;
}
