import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './server.js';

const run = promisify(execFile);
const FOLDER = join(ROOT, 'test', 'python');
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;

export interface ScriptResult {
  /** The last line of its output. */
  found: unknown;
  /** What it warned of. */
  stderr: string;
}

/**
 * Runs a script of test/python with the Python clients of requirements.txt. They are installed once, into
 * node_modules/.cache. Throws when the script fails or takes longer than two minutes.
 */
export async function runPython(
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ScriptResult> {
  const packages = await installPackages();
  const { PATH = '', HOME = '' } = process.env;
  const { stdout, stderr } = await run('python3', [join(FOLDER, script), ...args], {
    env: { PATH, HOME, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1', ...env },
    timeout: 120_000,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  return { found: JSON.parse(stdout.trimEnd().split('\n').at(-1)!), stderr };
}

async function installPackages(): Promise<string> {
  const requirements = join(FOLDER, 'requirements.txt');
  // pip names the version of Python, on which the packages depend.
  const { stdout: pip } = await run('python3', ['-m', 'pip', '--version']).catch(() => {
    throw new Error(
      'The tests of the Python clients need Python 3.10 or later with pip: apt-get install python3 python3-pip, as root.',
    );
  });
  const hash = createHash('sha256').update(pip).update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(ROOT, 'node_modules', '.cache', `threadmill-python-${hash}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    await run(
      'python3',
      ['-m', 'pip', 'install', '--quiet', '--no-deps', '--retries', '1', '--target', partial, '-r', requirements],
      { maxBuffer: OUTPUT_BYTES_MAX },
    );
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    // Another process was faster.
    if (existsSync(folder)) return folder;
    throw new Error(`pip could not install test/python/requirements.txt: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return folder;
}
