/**
 * What the single executable runs first: it unpacks the program where that has not been done, and begins it. Bundled to one
 * CommonJS file by packaging/build.ts; it has nothing but Node's own modules.
 */
import { join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { pathToFileURL } from 'node:url';
import type { Index } from '../archive.js';
import { candidates, usable } from './cache-folder.js';
import { Unpacked } from './unpack.js';

function folder(): string {
  const index = JSON.parse(getAsset('index', 'utf8')) as Index;
  const unpacked = new Unpacked(index, Buffer.from(getRawAsset('files') as ArrayBuffer));
  const refused: string[] = [];
  for (const candidate of candidates(process.env)) {
    try {
      return unpacked.in(usable(candidate));
    } catch (error) {
      refused.push(`${candidate}: ${(error as Error).message}`);
    }
  }
  process.stderr.write(
    `Threadmill unpacks itself to a folder once, and none will do:\n${refused.map((line) => `  ${line}\n`).join('')}Name another with THREADMILL_CACHE.\n`,
  );
  process.exit(1);
}

// Its own errors are Node's to report, as if it had been started from a file.
void import(pathToFileURL(join(folder(), 'dist', 'src', 'main.js')).href);
