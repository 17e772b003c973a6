import { join } from 'node:path';
import type { Plugin } from 'esbuild';

const MODULE = /@langchain[\\/]core[\\/]dist[\\/]utils[\\/]uuid[\\/]v5\.js$/;
/** Marks the path of the original, which the module in its place imports. */
const ORIGINAL = '?original';

/**
 * Gives `nativeUuid5` to the copy of LangChain in a bundle. Each task of a step has such an id, and LangChain's SHA-1
 * in JavaScript takes 10 µs. The build fails if LangChain no longer has the module.
 */
export function replaceUuid5(): Plugin {
  return {
    name: 'native-uuid5',
    setup(build) {
      let isReplaced = false;
      build.onLoad({ filter: MODULE }, ({ path, suffix }) => {
        if (suffix === ORIGINAL) return null;
        isReplaced = true;
        return {
          contents: `
            import v5 from ${JSON.stringify(path + ORIGINAL)};
            import { nativeUuid5 } from ${JSON.stringify(join(import.meta.dirname, 'native-uuid5.js'))};
            export default nativeUuid5(v5);`,
        };
      });
      build.onEnd(() => (isReplaced ? null : { errors: [{ text: `No module is named like ${MODULE.source}.` }] }));
    },
  };
}
