/**
 * Entry point of the single executable: unpacks the program if needed, and starts it. packaging/build.ts bundles it
 * to one CommonJS file. It uses only modules of Node.
 */
import { join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { pathToFileURL } from 'node:url';
import type { ArchiveIndex } from '../archive.js';
import { candidateFolders, prepareFolder } from './cache-folder.js';
import { Unpacker } from './unpack.js';

/** Unpacks to the first usable folder and returns the path of the program. Exits with 1 if there is none. */
function unpackProgram(): string {
  const index = JSON.parse(getAsset('index', 'utf8')) as ArchiveIndex;
  const unpacked = new Unpacker(index, Buffer.from(getRawAsset('files') as ArrayBuffer));
  const refused: string[] = [];
  for (const candidate of candidateFolders(process.env)) {
    try {
      return unpacked.unpackTo(prepareFolder(candidate));
    } catch (error) {
      refused.push(`${candidate}: ${(error as Error).message}`);
    }
  }
  process.stderr.write(
    `Threadmill could not unpack itself to any of these folders:\n${refused.map((line) => `  ${line}\n`).join('')}Name another folder with THREADMILL_CACHE.\n`,
  );
  process.exit(1);
}

// Errors of the program are left to Node, as if it had been started from a file.
void import(pathToFileURL(join(unpackProgram(), 'dist', 'src', 'main.js')).href);
