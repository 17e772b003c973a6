import { expectThat, type SoakClient } from './client.js';

interface Echoed {
  steps: string[];
}

function expectEchoed({ steps }: Echoed, text: string): void {
  expectThat(
    steps?.length === 2 && steps[0] === `first ${text}` && steps[1] === `second ${text}`,
    'a run returned a wrong result',
  );
}

const body = (text: string): object => ({ assistant_id: 'echo', input: { text } });

/** A stateless run. */
export async function shortRun(client: SoakClient, round: number): Promise<void> {
  const text = `t${round}`;
  expectEchoed(await client.ask<Echoed>('POST', '/runs/wait', body(text)), text);
  client.count('short runs');
}

/** Creates a thread with two runs, reads its state and deletes it. */
export async function threadRuns(client: SoakClient, round: number): Promise<void> {
  await client.withThread(async (threadId) => {
    const text = `t${round}`;
    expectEchoed(await client.ask<Echoed>('POST', `/threads/${threadId}/runs/wait`, body(text)), text);
    const { steps } = await client.ask<Echoed>('POST', `/threads/${threadId}/runs/wait`, body('again'));
    expectThat(steps.length === 4, 'the second run did not continue the first one');
    const state = await client.ask<{ values: Echoed; next: string[] }>('GET', `/threads/${threadId}/state`);
    expectThat(
      state.next.length === 0 && state.values.steps.join() === steps.join(),
      'the state differs from the result of the run',
    );
  });
  client.count('runs on threads');
  client.count('runs on threads');
}

const RUN_MS = 60_000;

/** Cancels a long run before or after it begins, with or without rollback. */
export async function cancelledRun(client: SoakClient, round: number): Promise<void> {
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
    expectThat(
      action === 'rollback' ? status === 404 : status === 200 && run.status === 'interrupted',
      `a run after ${action}: ${status} ${run.status}`,
    );
  });
  client.count(`cancels, ${action}`);
}
