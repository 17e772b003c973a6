import { randomUUID } from 'node:crypto';
import { experimentBody } from '../experiment-body.js';
import { statisticsAfter } from '../uploads.js';
import { expectThat, type SoakClient } from './client.js';

const ROWS = 20;

/** Uploads two experiments to one dataset, waits for their statistics, and deletes all of it. */
export async function experiments(client: SoakClient, round: number): Promise<void> {
  const datasetId = randomUUID();
  let rowIds: string[] | undefined;
  for (const turn of [0, 1]) {
    const made = experimentBody({
      rows: ROWS,
      datasetId,
      experimentName: `soak ${randomUUID()}`,
      rowIds,
      seed: round * 2 + turn,
    });
    rowIds = made.rowIds;
    const { experiment } = await client.ask<{ experiment: { id: string } }>(
      'POST',
      '/api/v1/datasets/upload-experiment',
      made.bytes,
    );
    await statisticsAfter(client.url, { experimentId: experiment.id, datasetId, ms: 0 }, made);
    client.count('experiments uploaded');
  }
  await client.ask('DELETE', `/api/v1/datasets/${datasetId}`);
}

const CRONS = 20;
const LOOK_MS = 1_000;

/** Creates crons that fire at the next minute, and deletes them when all have fired or the load ends. */
export async function crons(client: SoakClient): Promise<void> {
  const ids: string[] = [];
  for (let made = 0; made < CRONS; made += 1) {
    ids.push(
      (
        await client.ask<{ cron_id: string }>('POST', '/runs/crons', {
          assistant_id: 'echo',
          schedule: '* * * * *',
          input: { text: 'cron' },
        })
      ).cron_id,
    );
  }
  for (const id of ids) {
    for (;;) {
      const cron = await client.ask<{ last_run_id: string | null; last_error: unknown }>('GET', `/runs/crons/${id}`);
      expectThat(cron.last_error === null, `a cron did not fire: ${JSON.stringify(cron.last_error)}`);
      if (cron.last_run_id !== null) client.count('crons fired');
      if (cron.last_run_id !== null || !(await client.pause(LOOK_MS))) break;
    }
  }
  for (const id of ids) await client.ask('DELETE', `/runs/crons/${id}`);
  client.count('rounds of crons');
}

/** Writes an item of the long-term store twice, then reads, finds and deletes it. */
export async function items(client: SoakClient, round: number): Promise<void> {
  const namespace = ['soak', randomUUID()];
  const item = { namespace, key: 'k' };
  for (const value of [{ round }, { round, text: 'x'.repeat(200) }])
    await client.ask('PUT', '/store/items', { ...item, value });
  const read = await client.ask<{ value: { round: number } } | null>(
    'GET',
    `/store/items?namespace=${namespace.join('.')}&key=k`,
  );
  expectThat(read?.value.round === round, 'an item is not what was written');
  const found = await client.ask<{ items: unknown[] }>('POST', '/store/items/search', { namespace_prefix: namespace });
  expectThat(found.items.length === 1, `${found.items.length} items were found instead of one`);
  await client.ask('DELETE', '/store/items', item);
  client.count('items');
}
