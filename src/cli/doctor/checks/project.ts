import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ThreadmillError } from '../../../base/errors.js';
import { readLevels } from '../../../base/log/levels.js';
import { isLoopback } from '../../../base/loopback.js';
import { readConfig, type Config } from '../../../config/config.js';
import { openServer } from '../../../server/server.js';
import { listKeys } from '../../../store/access/api-keys.js';
import { isValid } from '../../../store/access/key-files.js';
import { isLocked } from '../../../store/files/folder-lock.js';
import { failed, messageOf, ok, warning, type Check } from './check.js';

/** What a server would be refused for comes as a failed check. */
export function configuration(
  flags: Parameters<typeof readConfig>[0],
  env: NodeJS.ProcessEnv,
): { check: Check; config: Config | null } {
  let config: Config;
  try {
    config = readConfig(flags, env);
  } catch (error) {
    return {
      check: failed('configuration', messageOf(error), 'Mend it there; "threadmill config" prints all settings.'),
      config: null,
    };
  }
  const { file, graphs, warnings } = config.project;
  const idle = [...config.warnings, ...warnings];
  return {
    check:
      idle.length === 0
        ? ok('configuration', `${file}: ${graphs.map(({ graphId }) => graphId).join(', ')}`)
        : warning('configuration', idle.join('; '), 'Take out what changes nothing, or mend its name.'),
    config,
  };
}

export async function port({ host, port: wanted, dataFolder }: Config): Promise<Check> {
  const name = `${host.includes(':') ? `[${host}]` : host}:${wanted}`;
  const code = await new Promise<string | null>((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port: wanted, exclusive: true }, () => probe.close(() => resolve(null)));
  });
  if (code === null) return ok('port', name);
  if (code === 'EADDRINUSE' && isLocked(dataFolder))
    return ok('port', `${name}, in use; a server runs on the data folder`);
  if (code === 'EADDRINUSE')
    return failed('port', `${name} is in use`, 'Choose another with --port, or end what has it.');
  if (code === 'EACCES')
    return failed(
      'port',
      `${name} is not for this user`,
      'Choose a port from 1024 on, or give the program CAP_NET_BIND_SERVICE.',
    );
  return failed('port', `${name}: ${code}`, 'Choose an address of this machine with --host.');
}

/** A whole server of the project in a folder of its own, which goes away: it loads graphs, handlers and apps as the real one does. */
export async function graphs(config: Config): Promise<Check> {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-doctor-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Also when it is broken off.
  process.once('exit', remove);
  const begun = performance.now();
  try {
    // Nobody but this process is to reach it, and nothing is sent to anyone.
    const server = await openServer({
      ...config,
      dataFolder: folder,
      host: '127.0.0.1',
      port: 0,
      workers: 1,
      log: { levels: readLevels('silent', Error), pretty: null },
      tls: null,
      tracing: null,
      webhooks: { ...config.webhooks, enabled: false },
    });
    await server.close(0);
    return ok(
      'graphs',
      `${server.graphIds.join(', ')}: loaded in ${((performance.now() - begun) / 1_000).toFixed(1)} s`,
    );
  } catch (error) {
    return failed(
      'graphs',
      messageOf(error),
      error instanceof ThreadmillError
        ? 'Mend it there and ask again.'
        : 'This is no fault of the project: please report it.',
    );
  } finally {
    process.removeListener('exit', remove);
    remove();
  }
}

export function access({ project, apiKeys, dataFolder, host, insecure }: Config): Check {
  if (project.auth !== null)
    return ok('access', `handlers of ${project.auth.path}; "threadmill doctor --auth" walks every route as two users`);
  let made: ReturnType<typeof listKeys>;
  try {
    made = listKeys(dataFolder, () => undefined);
  } catch (error) {
    return failed('access', `the keys cannot be read: ${messageOf(error)}`, `Let this user read ${dataFolder}.`);
  }
  const valid = made.filter((key) => isValid(key, Date.now())).length;
  if (valid > 0 || (apiKeys ?? '') !== '')
    return ok(
      'access',
      `API keys${valid > 0 ? ` (${valid} in the data folder)` : ''}; without handlers there is nothing for --auth to walk`,
    );
  if (made.length > 0)
    return warning(
      'access',
      'all API keys expired or were revoked: nobody is served',
      'Make one with "threadmill keys create --name NAME".',
    );
  const nobody = 'nobody is asked for a key';
  if (isLoopback(host)) return ok('access', `${nobody}; only this machine reaches ${host}`);
  const make = 'Make a key with "threadmill keys create --name NAME", or set "auth" in langgraph.json.';
  return insecure
    ? warning('access', `${nobody}, and others reach ${host}`, make)
    : failed('access', `${nobody}, and others reach ${host}: a server does not start so`, make);
}
