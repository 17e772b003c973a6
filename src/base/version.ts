import { createRequire } from 'node:module';

/** From package.json, wherever the build lies in it. */
export const VERSION: string = (createRequire(import.meta.url)('../../../package.json') as { version: string }).version;
