import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ThreadmillError } from '../../../base/errors.js';
import { parseLevels } from '../../../base/log/levels.js';
import { isLoopback } from '../../../base/loopback.js';
import { readConfig, type Config } from '../../../config/config.js';
import { openServer } from '../../../server/server.js';
import { listKeys } from '../../../store/access/api-keys.js';
import { isValid } from '../../../store/access/key-files.js';
import { isLocked } from '../../../store/files/folder-lock.js';
import { failed, messageOf, ok, warning, type CheckResult } from './check.js';

/** Reads the settings as a server does. Settings that a server rejects are a failed check, and `config` is null. */
export function checkConfiguration(
  flags: Parameters<typeof readConfig>[0],
  env: NodeJS.ProcessEnv,
): { check: CheckResult; config: Config | null } {
  let config: Config;
  try {
    config = readConfig(flags, env);
  } catch (error) {
    return {
      check: failed('configuration', messageOf(error), 'Correct it there. "threadmill config" prints all settings.'),
      config: null,
    };
  }
  const { file, graphs, warnings } = config.project;
  const allWarnings = [...config.warnings, ...warnings];
  return {
    check:
      allWarnings.length === 0
        ? ok('configuration', `${file}: ${graphs.map(({ graphId }) => graphId).join(', ')}`)
        : warning('configuration', allWarnings.join('; '), 'Remove settings without effect, or correct their names.'),
    config,
  };
}

export async function checkPort({ host, port: wanted, dataFolder }: Config): Promise<CheckResult> {
  const name = `${host.includes(':') ? `[${host}]` : host}:${wanted}`;
  const code = await new Promise<string | null>((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port: wanted, exclusive: true }, () => probe.close(() => resolve(null)));
  });
  if (code === null) return ok('port', name);
  if (code === 'EADDRINUSE' && isLocked(dataFolder))
    return ok('port', `${name}, in use; a server is using the data folder`);
  if (code === 'EADDRINUSE')
    return failed('port', `${name} is already in use`, 'Choose another port with --port, or stop the other program.');
  if (code === 'EACCES')
    return failed(
      'port',
      `${name} is not allowed for this user`,
      'Choose a port of 1024 or above, or give the program CAP_NET_BIND_SERVICE.',
    );
  return failed('port', `${name}: ${code}`, 'Name an address of this machine with --host.');
}

/** Starts and stops a server on a temporary folder. It loads the graphs, handlers and apps of the project. */
export async function checkGraphs(config: Config): Promise<CheckResult> {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-doctor-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Removes the folder even if the check is interrupted.
  process.once('exit', remove);
  const begun = performance.now();
  try {
    // Only this process may reach the server, and the server sends nothing to others.
    const server = await openServer({
      ...config,
      dataFolder: folder,
      host: '127.0.0.1',
      port: 0,
      workers: 1,
      log: { levels: parseLevels('silent', Error), pretty: null },
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
        ? 'Correct it there, then run this again.'
        : 'This is not a fault of the project. Please report it.',
    );
  } finally {
    process.removeListener('exit', remove);
    remove();
  }
}

export function checkAccess({ project, apiKeys, dataFolder, host, insecure }: Config): CheckResult {
  if (project.auth !== null)
    return ok('access', `auth handlers in ${project.auth.path}; check them with "threadmill doctor --auth"`);
  let keys: ReturnType<typeof listKeys>;
  try {
    keys = listKeys(dataFolder, () => undefined);
  } catch (error) {
    return failed('access', `the API keys cannot be read: ${messageOf(error)}`, `Let this user read ${dataFolder}.`);
  }
  const valid = keys.filter((key) => isValid(key, Date.now())).length;
  if (valid > 0 || (apiKeys ?? '') !== '')
    return ok(
      'access',
      `API keys${valid > 0 ? ` (${valid} in the data folder)` : ''}; --auth needs auth handlers, and there are none`,
    );
  if (keys.length > 0)
    return warning(
      'access',
      'all API keys are expired or revoked, so every request is refused',
      'Create a key with "threadmill keys create --name NAME".',
    );
  const open = 'no API key is required';
  if (isLoopback(host)) return ok('access', `${open}; only this machine can reach ${host}`);
  const advice = 'Create a key with "threadmill keys create --name NAME", or set "auth" in langgraph.json.';
  return insecure
    ? warning('access', `${open}, and others can reach ${host}`, advice)
    : failed('access', `${open}, and others can reach ${host}: the server refuses to start`, advice);
}
