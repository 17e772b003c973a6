import t from 'tap';
import { benches } from '../../bench/benches.js';
import { startThreadmill } from '../../bench/contenders/threadmill.js';
import { Workbench } from '../../bench/workbench.js';

void t.test('gives every bench a name of its own', async (t) => {
  t.equal(new Set(benches.map(({ name }) => name)).size, benches.length);
});

void t.test('runs every bench small with correct results', async (t) => {
  const shared = await startThreadmill({ workers: 1 });
  t.teardown(() => shared.close());
  for (const bench of benches) {
    await t.test(bench.name, async (t) => {
      const workbench = new Workbench({ oursOnly: true, shared });
      t.teardown(() => workbench.close());
      const rows = await bench.run(workbench, bench.smoke);
      t.ok(rows.length > 0);
      for (const row of rows) t.match(row, { what: /\w/, ours: /\d/, budget: /\w/, method: [/\w/, /\w/] }, row.what);
    });
  }
});
