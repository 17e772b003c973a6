import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError, runCommand } from './client.js';
import { PROGRAM_FOLDER } from '../base/program-files.js';
import { VERSION } from '../base/version.js';
import { ownPackage } from './packages.js';
import { translateStoreErrors } from './data-folder/store-errors.js';

export interface InitFlags {
  force?: boolean;
}

/** Each file of a project and its template. npm does not package files such as .gitignore under their own name. */
const FILES: readonly [file: string, template: string][] = [
  ['langgraph.json', 'langgraph.json'],
  ['package.json', 'package.json'],
  ['README.md', 'README.md'],
  ['.gitignore', 'gitignore'],
  ['.env', 'env'],
  ['src/graph.ts', 'src/graph.ts'],
  ['src/model.ts', 'src/model.ts'],
  ['test/graph.test.js', 'test/graph.test.js'],
];

/** Creates a project. Without --force, writes nothing if one of its files exists. */
export function init(target: string, { force = false }: InitFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      const folder = resolve(target);
      const existing = FILES.filter(([file]) => existsSync(join(folder, file))).map(([file]) => file);
      if (existing.length > 0 && !force)
        throw new CommandError(
          `${target} already contains ${existing.join(', ')}. Choose another folder, or add --force to overwrite ` +
            `${existing.length === 1 ? 'it' : 'them'}.`,
        );
      const values = placeholderValues(folder);
      for (const [file, template] of FILES) {
        const path = join(folder, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(
          path,
          readFileSync(join(PROGRAM_FOLDER, 'templates', 'init', template), 'utf8').replace(
            /\{\{(\w+)\}\}/g,
            (_, placeholder: string) => values[placeholder]!,
          ),
        );
      }
      const next = `${target === '.' ? '' : `cd ${target} && `}npm install && npm run dev`;
      process.stdout.write(
        `Created in ${folder}: ${FILES.map(([file]) => file).join(', ')}.\n` +
          `Next:    ${next}\n` +
          'Console: http://127.0.0.1:8123/console\n',
      );
      return 0;
    }),
  );
}

function placeholderValues(folder: string): Record<string, string> {
  const { dependencies } = ownPackage();
  // A valid npm package name (npm docs, package.json, name).
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
  return {
    name: name === '' ? 'agent' : name,
    core: dependencies['@langchain/core']!,
    langgraph: dependencies['@langchain/langgraph']!,
    threadmill: VERSION,
  };
}
