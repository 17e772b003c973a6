import { expect, type SoakClient } from './client.js';

interface Echoed {
  steps: string[];
}

function expectEchoed({ steps }: Echoed, text: string): void {
  expect(
    steps?.length === 2 && steps[0] === `first ${text}` && steps[1] === `second ${text}`,
    'a run answered something else',
  );
}

const body = (text: string): object => ({ assistant_id: 'echo', input: { text } });

/** A run that leaves nothing. */
export async function shortRun(client: SoakClient, round: number): Promise<void> {
  const text = `t${round}`;
  expectEchoed(await client.ask<Echoed>('POST', '/runs/wait', body(text)), text);
  client.did('short runs');
}

/** A thread with two runs, its state, and its end. */
export async function threadRuns(client: SoakClient, round: number): Promise<void> {
  await client.withThread(async (threadId) => {
    const text = `t${round}`;
    expectEchoed(await client.ask<Echoed>('POST', `/threads/${threadId}/runs/wait`, body(text)), text);
    const { steps } = await client.ask<Echoed>('POST', `/threads/${threadId}/runs/wait`, body('again'));
    expect(steps.length === 4, 'the second run did not go on with the first');
    const state = await client.ask<{ values: Echoed; next: string[] }>('GET', `/threads/${threadId}/state`);
    expect(
      state.next.length === 0 && state.values.steps.join() === steps.join(),
      'the state is not what the run answered',
    );
  });
  client.did('runs on threads');
  client.did('runs on threads');
}

const RUN_MS = 60_000;

/** A run that would take long is cancelled: before or after it begins, with or without what it wrote. */
export async function cancel(client: SoakClient, round: number): Promise<void> {
  const action = round % 2 === 0 ? 'interrupt' : 'rollback';
  await client.withThread(async (threadId) => {
    const runs = `/threads/${threadId}/runs`;
    const { run_id: runId } = await client.ask<{ run_id: string }>('POST', runs, {
      assistant_id: 'pause',
      input: { ms: RUN_MS },
    });
    if (round % 3 !== 0) {
      while ((await client.ask<{ status: string }>('GET', `${runs}/${runId}`)).status === 'pending')
        await client.pause(10);
    }
    await client.ask('POST', `${runs}/${runId}/cancel?action=${action}&wait=true`);
    const { status, body: run } = await client.send<{ status: string }>('GET', `${runs}/${runId}`);
    expect(
      action === 'rollback' ? status === 404 : status === 200 && run.status === 'interrupted',
      `a run after ${action}: ${status} ${run.status}`,
    );
  });
  client.did(`cancels, ${action}`);
}
