/**
 * Copies datasets with their examples from LangSmith to Threadmill. FROM and TO are the addresses of the APIs, and
 * FROM_KEY and TO_KEY their API keys. Arguments name the datasets to copy; without any it copies all. Existing
 * datasets are skipped.
 */
import { Client } from 'langsmith';

const from = new Client({ apiUrl: process.env.FROM, apiKey: process.env.FROM_KEY ?? 'none' });
const to = new Client({ apiUrl: process.env.TO, apiKey: process.env.TO_KEY ?? 'none' });
const wanted = new Set(process.argv.slice(2));
const BATCH = 500;

for await (const { id, name, description } of from.listDatasets()) {
  if (wanted.size > 0 && !wanted.has(name)) continue;
  if (await to.hasDataset({ datasetName: name })) {
    console.log(`${name}: is there, left alone`);
    continue;
  }
  const dataset = await to.createDataset(name, { description });
  let batch = [];
  let count = 0;
  const send = async () => {
    if (batch.length > 0) await to.createExamples(batch);
    count += batch.length;
    batch = [];
  };
  for await (const { inputs, outputs, metadata } of from.listExamples({ datasetId: id })) {
    batch.push({ dataset_id: dataset.id, inputs, outputs, metadata });
    if (batch.length === BATCH) await send();
  }
  await send();
  console.log(`${name}: ${count} examples copied`);
}
