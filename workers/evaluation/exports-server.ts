import { liveBackup } from '../../src/store/backup.js';
import type { Export } from './exports.js';

/** The name says when, to the second, and sorts by it. */
function backup(_caches: unknown, _caller: unknown, { dataFile }: { dataFile: string }): Export {
  const at = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '');
  return { contentType: 'application/octet-stream', fileName: `threadmill-${at}Z.backup`, pieces: liveBackup(dataFile) };
}

export const serverExports = { 'server.backup': backup };
