import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { WorkerPool } from '../worker-pool.js';
import { fail } from '../../base/errors.js';
import { threadFile } from '../../base/program-files.js';
import { userCodeEnv } from '../../domain/secret-variables.js';
import type { UiBuildResult, UiTask } from '../../wire/user-code/ui.js';

/** A file of a bundle, ready to serve. */
export interface UiFile {
  bytes: Buffer;
  contentType: string;
  etag: string;
}

/** Bundles by the name under which they are served, and their files by name. */
export type UiBundles = ReadonlyMap<string, ReadonlyMap<string, UiFile>>;

interface UiModule {
  name: string;
  /** Absolute path. */
  file: string;
  /** Path as configured, for messages. */
  path: string;
}

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Builds UI components, on a thread that ends after the last module. `inputs`: the project files in the
 * bundles. Throws UI_LOAD_FAILED.
 */
export async function buildUi(
  modules: readonly UiModule[],
  shared: readonly string[],
  root: string,
): Promise<{ bundles: UiBundles; inputs: string[] }> {
  const bundles = new Map<string, ReadonlyMap<string, UiFile>>();
  const inputs = new Set<string>();
  if (modules.length === 0) return { bundles, inputs: [] };
  const pool = new WorkerPool<UiTask, UiBuildResult>({
    filename: threadFile('ui/build'),
    minThreads: 0,
    maxThreads: 1,
    atomics: 'disabled',
    recordTiming: false,
    // Tailwind plugins are project code.
    env: userCodeEnv({}),
  });
  try {
    for (const { name, file, path } of modules) {
      const built = await pool.run({ name, file, root, shared });
      if (!built.ok) throw fail('UI_LOAD_FAILED', { name, file: path, reason: built.reason });
      for (const input of built.inputs) inputs.add(input);
      bundles.set(
        name,
        new Map(
          built.files.map((one) => [
            one.name,
            {
              bytes: Buffer.from(one.bytes),
              contentType: CONTENT_TYPES[extname(one.name)] ?? 'application/octet-stream',
              etag: `"${createHash('sha256').update(one.bytes).digest('base64url').slice(0, 22)}"`,
            },
          ]),
        ),
      );
    }
    return { bundles, inputs: [...inputs] };
  } finally {
    await pool.destroy();
  }
}
