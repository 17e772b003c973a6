import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { fail } from '../../base/errors.js';
import { workersFile } from '../../base/places.js';
import { userCodeEnv } from '../../domain/secret-variables.js';
import type { UiBuilt, UiTask } from '../../wire/user-code/ui.js';

/** A file of a bundle, as it is sent. */
export interface UiFile {
  bytes: Buffer;
  contentType: string;
  etag: string;
}

/** Bundles by the name they are served under, their files by theirs. */
export type UiBundles = ReadonlyMap<string, ReadonlyMap<string, UiFile>>;

interface UiModule {
  name: string;
  /** Absolute. */
  file: string;
  /** As it was written, for messages. */
  path: string;
}

const TYPES: Record<string, string> = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8' };

/** Builds components for pages, in a thread that ends with the last of them. `inputs`: files of the project's own. Throws UI_LOAD_FAILED. */
export async function buildUi(
  modules: readonly UiModule[],
  shared: readonly string[],
  root: string,
): Promise<{ bundles: UiBundles; inputs: string[] }> {
  const bundles = new Map<string, ReadonlyMap<string, UiFile>>();
  const inputs = new Set<string>();
  if (modules.length === 0) return { bundles, inputs: [] };
  const pool = new Piscina<UiTask, UiBuilt>({
    filename: workersFile('ui/build.js'),
    minThreads: 0,
    maxThreads: 1,
    atomics: 'disabled',
    recordTiming: false,
    // Plugins of Tailwind are code of the project's.
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
              contentType: TYPES[extname(one.name)] ?? 'application/octet-stream',
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
