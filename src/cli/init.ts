import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError, runCommand } from './client.js';
import { OUR_FOLDER } from '../base/places.js';
import { ownPackage } from './packages.js';
import { translateStoreErrors } from './data-folder/store-errors.js';

export interface InitFlags {
  force?: boolean;
}

/** The name of each file in the folder, and of its template: npm leaves files of some names out of a package. */
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

/** Makes a project. Nothing is written when one of its files is there already, unless `--force` says so. */
export function init(target: string, { force = false }: InitFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      const folder = resolve(target);
      const there = FILES.filter(([file]) => existsSync(join(folder, file))).map(([file]) => file);
      if (there.length > 0 && !force)
        throw new CommandError(
          `${target}: there is ${there.join(', ')} already. Choose another folder, or say --force to replace ${there.length === 1 ? 'it' : 'them'}.`,
        );
      const words = wordsFor(folder);
      for (const [file, template] of FILES) {
        const path = join(folder, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(
          path,
          readFileSync(join(OUR_FOLDER, 'templates', 'init', template), 'utf8').replace(
            /\{\{(\w+)\}\}/g,
            (_, word: string) => words[word]!,
          ),
        );
      }
      process.stdout.write(
        `${folder}: ${FILES.map(([file]) => file).join(', ')}.\nNext: ${target === '.' ? '' : `cd ${target} && `}threadmill dev\n`,
      );
      return 0;
    }),
  );
}

function wordsFor(folder: string): Record<string, string> {
  const { dependencies } = ownPackage();
  // What npm takes as a name (npm docs, package.json, name).
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
  return {
    name: name === '' ? 'agent' : name,
    core: dependencies['@langchain/core']!,
    langgraph: dependencies['@langchain/langgraph']!,
  };
}
