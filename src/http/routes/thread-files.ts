import { ThreadImportQuery, ThreadParams } from '../../../schemas/compiled/validators.js';
import { IMPORT_THREADS } from '../../domain/actions.js';
import { dataFile } from '../../store/files/data-file.js';
import { importThread } from '../../services/threads/import-thread.js';
import { getSettledThread } from '../../services/threads/threads.js';
import { threadJson } from '../../services/state/resource-json.js';
import { streamExport } from '../streams/download.js';
import { defineRoute, jsonReply } from '../route.js';

export const exportThreadRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/export',
  action: 'threads:read',
  summary: 'Export a thread with its state, history and runs, as a file for /threads/import',
  params: ThreadParams,
  schemas: { params: 'ThreadParams' },
  async handle({ params, caller, exchange }, services) {
    const { stores, evaluation } = services;
    const { threadId } = await getSettledThread(services, caller, params.thread_id);
    return streamExport(
      exchange,
      evaluation,
      evaluation.pool.openExport('threads.file', caller, { dataFile: dataFile(stores.store.folder), threadId }),
    );
  },
});

/** Graphs revive the file's content as objects, so only operators may import it. */
export const importThreadRoute = defineRoute({
  method: 'post',
  path: '/threads/import',
  action: IMPORT_THREADS,
  bodyTypes: ['json-lines', 'json', 'file'],
  summary: 'Import an exported thread',
  query: ThreadImportQuery,
  schemas: { query: 'ThreadImportQuery' },
  async handle({ query, caller, exchange }, services) {
    const { evaluation } = services;
    const chunks: Uint8Array[] = [];
    const body = evaluation.bodies.open(exchange.contentLength);
    try {
      await exchange.forwardBody(evaluation.uploadBytesMax, {
        pass(chunk) {
          body.add(chunk.byteLength);
          chunks.push(chunk);
        },
        mustPause: (resume) => body.mustPause(resume),
      });
      body.end();
      return jsonReply(
        threadJson(
          services,
          caller,
          await importThread(services, caller, Buffer.concat(chunks), query.new_id === true),
        ),
      );
    } finally {
      body.release();
    }
  },
});

export const threadFileRoutes = [exportThreadRoute, importThreadRoute];
