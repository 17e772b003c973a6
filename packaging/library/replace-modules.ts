import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** A module of LangChain in whose place a bundle has another one. */
interface Replacement {
  module: RegExp;
  /** Names within the module that it does not export, and the module in its place needs. */
  hidden?: string[];
  /** The module in its place. `original` imports the module itself. */
  code: (original: string) => string;
}

const REPLACEMENTS: Replacement[] = [
  {
    module: /@langchain[\\/]core[\\/]dist[\\/]utils[\\/]uuid[\\/]v5\.js$/,
    code: (original) => `
      import v5 from ${original};
      import { nativeUuid5 } from ${ours('native-uuid5')};
      export default nativeUuid5(v5);`,
  },
  {
    module: /@langchain[\\/]core[\\/]dist[\\/]runnables[\\/]config\.js$/,
    code: (original) => `
      import { mergeConfigs as original } from ${original};
      import { mergeWithTags } from ${ours('configs')};
      export * from ${original};
      export const mergeConfigs = mergeWithTags(original);`,
  },
  {
    module: /@langchain[\\/]core[\\/]dist[\\/]utils[\\/]stream\.js$/,
    code: (original) => `
      import { IterableReadableStream } from ${original};
      import { endWithoutError } from ${ours('streams')};
      export * from ${original};
      endWithoutError(IterableReadableStream);`,
  },
  {
    module: /@langchain[\\/]langgraph[\\/]dist[\\/]pregel[\\/]utils[\\/]config\.js$/,
    hidden: ['CONFIG_KEYS', 'DEFAULT_RECURSION_LIMIT', 'mergeCallbacks'],
    code: (original) => `
      import * as library from ${original};
      import { AsyncLocalStorageProviderSingleton as storage } from '@langchain/core/singletons';
      import { ensureOneConfig } from ${ours('configs')};
      export * from ${original};
      export const ensureLangGraphConfig = ensureOneConfig(library, () => storage.getRunnableConfig());`,
  },
];

/** Marks the path of the module itself, which the one in its place imports. */
const ORIGINAL = '?original';

/** Replaces functions of LangChain that take much of a run's CPU time. The build fails if a module is not there. */
export function replaceModules(): Plugin {
  return {
    name: 'replace-modules',
    setup(build) {
      const missing = new Set(REPLACEMENTS);
      for (const replacement of REPLACEMENTS) {
        const { module, hidden, code } = replacement;
        build.onLoad({ filter: module }, async ({ path, suffix }) => {
          if (suffix !== ORIGINAL) {
            missing.delete(replacement);
            return { contents: code(JSON.stringify(path + ORIGINAL)) };
          }
          if (hidden === undefined) return null;
          return { contents: `${await readFile(path, 'utf8')}\nexport { ${hidden.join(', ')} };` };
        });
      }
      build.onEnd(() => ({
        errors: [...missing].map(({ module }) => ({ text: `No module is named like ${module.source}.` })),
      }));
    },
  };
}

/** The path of a module of this folder, as it stands in code. */
function ours(name: string): string {
  return JSON.stringify(join(import.meta.dirname, `${name}.js`));
}
