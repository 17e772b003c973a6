import t from 'tap';
import { addRun, createProject } from '../helpers/sent-runs.js';
import { alertWhen, createAlert, patchAlert } from '../alerts/helpers.js';
import { cli } from '../helpers/cli.js';
import { configWith, testServer } from '../helpers/server.js';

t.test('lists alerts, and says by the exit code whether one is firing', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const alerts = (...args: string[]): ReturnType<typeof cli> => cli(['alerts', 'list', '--url', server.url, ...args]);
  t.match(await alerts(), { code: 0, stdout: '', stderr: 'There are no alerts.\n' });

  const projectId = await createProject(server, 'support');
  const slow = await createAlert(server, { name: 'Slow', project_id: projectId, metric: 'latency_p95', threshold: 20 });
  await alertWhen(server, slow.id, ({ last_checked_at: at }) => at !== null);
  t.match(await alerts('--firing'), { code: 0, stdout: '', stderr: 'No alert is firing.\n' });

  await addRun(server, projectId, { startMs: Date.now() - 1_000, error: 'it broke' });
  const { id } = await createAlert(server, { name: 'Fails', project_id: projectId });
  await alertWhen(server, id, ({ state }) => state === 'firing');
  const { code, stdout } = await alerts();
  t.equal(code, 1);
  const [head, first, second] = stdout.split('\n');
  t.match(head, /^state +name +condition +value +since$/);
  t.match(first, /^(ok|no_data) +Slow +latency_p95 of support above 20 over 900 s /);
  t.match(second, /^firing +Fails +error_rate of support above 0\.1 over 900 s +1 +\d{4}-/);
  const listed = await alerts('--firing', '--json');
  t.equal(listed.code, 1);
  t.match(JSON.parse(listed.stdout), [{ id, state: 'firing', last_value: 1 }]);
  t.equal((JSON.parse(listed.stdout) as unknown[]).length, 1);

  await patchAlert(server, id, { is_enabled: false });
  t.match(await alerts(), { code: 0, stdout: /disabled +Fails/ });
  t.match(await cli(['alerts', 'list', '--url', 'http://127.0.0.1:1']), { code: 2, stdout: '' });

  await server.close();
  t.match(await cli(['doctor', '--store', '--data', server.dataFolder]), { code: 0, stdout: /, no problems\.\n$/ });
});
