import type { Loader, Plugin } from 'esbuild';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/**
 * Makes the console's bundle smaller. Each plugin replaces modules that esbuild cannot leave out itself:
 * the code is reachable, but the console never runs it.
 */
export function smallerBundle(root: string, appended?: (file: string) => string): Plugin[] {
  return [leaveOutThreadStream(root), englishOnly(), sourceFiles(root, appended)];
}

/**
 * The console uses `Client` of the SDK, but not its `client.threads.stream`. That method pulls in the message classes
 * of `@langchain/core`, which pull in its tracers and the LangSmith client: 83 kB after compression. The stub throws,
 * so that a page which begins to use the method fails in its first test.
 */
function leaveOutThreadStream(root: string): Plugin {
  const folder = join(root, 'node_modules', '@langchain', 'langgraph-sdk', 'dist', 'client');
  const importers = new Set([join(folder, 'index.js'), join(folder, 'threads', 'index.js')]);
  const names = ['ThreadStream', 'ProtocolSseTransportAdapter', 'ProtocolWebSocketTransportAdapter'];
  const message = 'The build of the console leaves out threads.stream of the SDK. See packaging/console-plugins.ts.';
  return {
    name: 'leave-out-thread-stream',
    setup({ onResolve, onLoad }) {
      // The index of the package reaches the same modules.
      onResolve({ filter: /^@langchain\/langgraph-sdk$/ }, () => ({ path: join(folder, 'index.js') }));
      onResolve({ filter: /^\.\.?\/stream\// }, ({ importer }) =>
        importers.has(importer) ? { path: 'thread-stream', namespace: 'stub', sideEffects: false } : undefined,
      );
      onLoad({ filter: /^thread-stream$/, namespace: 'stub' }, () => ({
        contents: names
          .map((name) => `export class ${name} { constructor() { throw new Error(${JSON.stringify(message)}); } }`)
          .join('\n'),
      }));
    },
  };
}

/**
 * React Aria brings its few texts in 30 languages. The console is in English, so that texts in another language would
 * be read with the wrong voice. Each language resolves to the English texts: a missing one would throw.
 */
function englishOnly(): Plugin {
  return {
    name: 'english-only',
    setup({ onResolve }) {
      onResolve({ filter: /\/intl\/(?:.*\/)?[a-z]{2}-[A-Z]{2}\.mjs$/ }, ({ path, resolveDir, kind, importer }) => {
        if (!importer.includes('react-') || kind !== 'import-statement') return undefined;
        return { path: join(resolveDir, dirname(path), 'en-US.mjs') };
      });
    },
  };
}

/**
 * Reads the console's source files, with what `appended` returns for each one. Imports each component of React Aria
 * from its own file. esbuild puts a file into the chunk of every page from which it is reachable, and from the index of
 * the package all of them are. So the first view would load the components of all pages. The icons stay as they are:
 * one chunk with all of them is smaller than many with one icon each.
 */
function sourceFiles(root: string, appended: (file: string) => string = () => ''): Plugin {
  const paths = componentPaths(join(root, 'node_modules', 'react-aria-components', 'dist', 'exports', 'index.mjs'));
  const importEach = (names: string): string =>
    names
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '' && !part.startsWith('type '))
      .map((part) => {
        const path = paths.get(part.split(' as ')[0]!);
        if (path === undefined) throw new Error(`The index of react-aria-components does not import "${part}".`);
        return `import { ${part} } from ${JSON.stringify(path)};`;
      })
      .join('\n');
  return {
    name: 'source-files',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]console[\\/]src[\\/].*\.tsx?$/ }, ({ path }) => ({
        loader: extname(path).slice(1) as Loader,
        contents:
          readFileSync(path, 'utf8').replaceAll(
            /^import \{([^}]+)\} from 'react-aria-components';$/gm,
            (_all, names: string) => importEach(names),
          ) + appended(path),
      }));
    },
  };
}

/** The file of each component. The index imports them by name before it exports them. */
function componentPaths(index: string): Map<string, string> {
  const paths = new Map<string, string>();
  for (const [, names, from] of readFileSync(index, 'utf8').matchAll(/^import \{([^}]+)\} from "([^"]+)";$/gm)) {
    const path = from!.startsWith('.') ? join(dirname(index), from!) : from!;
    for (const part of names!.split(',')) paths.set(part.trim().split(' as ')[0]!, path);
  }
  return paths;
}
