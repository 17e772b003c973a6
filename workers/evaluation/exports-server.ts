import { liveBackup } from '../../src/store/files/backup.js';
import { threadFileLines } from '../../src/store/threads/thread-file.js';
import type { Caches } from './caches.js';
import type { Export } from './export.js';
import { profileStorage, type StorageParams } from './state-profile.js';

/** The file name contains the time to the second, so that backups sort by time. */
function backup(_caches: unknown, _caller: unknown, { dataFile }: { dataFile: string }): Export {
  const at = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '');
  return {
    contentType: 'application/octet-stream',
    fileName: `threadmill-${at}Z.backup`,
    pieces: liveBackup(dataFile),
  };
}

function thread(
  { reader }: Caches,
  _caller: unknown,
  { dataFile, threadId }: { dataFile: string; threadId: string },
): Export {
  return {
    contentType: 'application/x-ndjson',
    fileName: `${threadId}.jsonl`,
    pieces: threadFileLines(dataFile, reader.cipher, threadId),
  };
}

/** One JSON object. Yields while it is computed, so that other queries can run. */
function storage({ reader }: Caches, _caller: unknown, params: StorageParams): Export {
  function* pieces(): Generator<string> {
    const steps = profileStorage(reader, params);
    for (;;) {
      const step = steps.next();
      if (step.done === true) {
        yield JSON.stringify(step.value);
        return;
      }
      yield '';
    }
  }
  return { contentType: 'application/json', fileName: 'storage.json', pieces: pieces() };
}

export const serverExports = { 'server.backup': backup, 'server.storage': storage, 'threads.file': thread };
