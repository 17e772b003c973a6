import { ThreadImportQuery, ThreadParams } from '../../../schemas/compiled/validators.js';
import { IMPORT } from '../../domain/actions.js';
import { dataFile } from '../../store/files/data-file.js';
import { importThread } from '../../services/threads/import-thread.js';
import { getFreshThread } from '../../services/threads/threads.js';
import { threadJson } from '../../services/state/list-states.js';
import { download } from '../streams/download.js';
import { defineRoute, json } from '../route.js';

export const exportThread = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/export',
  action: 'threads:read',
  summary: 'A thread with its state, history and runs, as a file for /threads/import',
  params: ThreadParams,
  schemas: { params: 'ThreadParams' },
  async handle({ params, caller, exchange }, services) {
    const { stores, evaluation } = services;
    const { threadId } = await getFreshThread(services, caller, params.thread_id);
    return download(
      exchange,
      evaluation,
      evaluation.pool.openExport('threads.file', caller, { dataFile: dataFile(stores.store.folder), threadId }),
    );
  },
});

/** What is in the file graphs revive as objects: only who runs the server may bring it in. */
export const takeThread = defineRoute({
  method: 'post',
  path: '/threads/import',
  action: IMPORT,
  bodyTypes: ['json-lines', 'json', 'file'],
  summary: 'Take in a thread that was exported',
  query: ThreadImportQuery,
  schemas: { query: 'ThreadImportQuery' },
  async handle({ query, caller, exchange }, services) {
    const { evaluation } = services;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      await exchange.forwardBody(evaluation.uploadBytesMax, (chunk) => {
        evaluation.takeBytes(chunk.byteLength);
        bytes += chunk.byteLength;
        chunks.push(chunk);
      });
      return json(
        threadJson(
          services,
          caller,
          await importThread(services, caller, Buffer.concat(chunks), query.new_id === true),
        ),
      );
    } finally {
      evaluation.giveBackBytes(bytes);
    }
  },
});

export const threadFileRoutes = [exportThread, takeThread];
