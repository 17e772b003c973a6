/**
 * Entry point of an evaluation thread: parses uploads, computes statistics and answers queries. It only reads
 * the store. Data to be stored is sent to the main thread as finished keys and bytes.
 */
import type { MessagePort } from 'node:worker_threads';
import { ThreadmillError } from '../../src/base/errors.js';
import { collectGarbage } from '../../src/base/heap-shrinker.js';
import { LIMITS } from '../../src/base/limits.js';
import { Reader } from '../../src/store/reader.js';
import { unpack } from '../../src/wire/codec.js';
import { Duplex } from '../../src/wire/user-code/duplex.js';
import type {
  EvaluationResult,
  EvaluationTask,
  EvaluationWorkerData,
  FromUpload,
  ReadRequest,
  ToUpload,
} from '../../src/wire/evaluation/evaluation.js';
import { AttachmentLinks } from '../../src/wire/evaluation/attachment-links.js';
import type { FromExampleWriter, ToExampleWriter } from '../../src/wire/evaluation/example-writes.js';
import type { FromExport, ToExport } from '../../src/wire/evaluation/exports.js';
import type { FromIngest, ToIngest } from '../../src/wire/evaluation/ingest.js';
import { startHeartbeat } from '../../src/wire/thread-metrics.js';
import { readWorkerData } from '../../src/wire/worker-data.js';
import { Caches } from './caches.js';
import { sendExport } from './exports.js';
import { ingest } from './ingest.js';
import { runQuery } from './reads.js';
import { statisticsOf } from './aggregate.js';
import { upload } from './upload.js';
import { warmUp } from './warm-up.js';
import { writeExamples } from './write-examples.js';

const { dataFile, encryption, vitals, attachmentLinks, receivedTraces } = readWorkerData<EvaluationWorkerData>();
startHeartbeat(vitals);
const reader = Reader.attach(dataFile, encryption);
const caches = new Caches(reader, new AttachmentLinks(attachmentLinks));
setInterval(() => {
  // A thread at rest does not collect, and the heap shrinker leaves large heaps alone. Most of this one is garbage now.
  if (caches.dropUnused() >= LIMITS.cacheCollectRowsMin) collectGarbage();
}, LIMITS.cacheCheckMs).unref();

export default async function evaluate(task: EvaluationTask): Promise<EvaluationResult> {
  try {
    return { ok: true, value: await perform(task) };
  } catch (error) {
    if (error instanceof ThreadmillError) return { ok: false, code: error.code, params: error.params };
    // The pool takes a rejected task as a lost thread.
    return { ok: false, code: null, stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function perform(task: EvaluationTask): Promise<unknown> {
  caches.startQuery();
  switch (task.type) {
    case 'read':
      return runQuery(caches, unpack<ReadRequest>(task.ask));
    case 'statistics':
      return statisticsOf(caches, task.list);
    case 'upload':
      return withDuplex(task.port, (duplex: Duplex<FromUpload, ToUpload>) => upload(duplex, reader));
    case 'export':
      return withDuplex(task.port, (duplex: Duplex<FromExport, ToExport>) =>
        sendExport(duplex, caches, unpack<ReadRequest>(task.ask)),
      );
    case 'examples':
      return withDuplex(task.port, (duplex: Duplex<FromExampleWriter, ToExampleWriter>) =>
        writeExamples(duplex, caches),
      );
    case 'warm-up':
      return warmUp(reader);
    case 'ingest':
      return withDuplex(task.port, (duplex: Duplex<FromIngest, ToIngest>) => ingest(duplex, reader, receivedTraces));
  }
}

async function withDuplex<Out, In, T>(port: MessagePort, work: (duplex: Duplex<Out, In>) => Promise<T>): Promise<T> {
  const duplex = new Duplex<Out, In>(port);
  try {
    return await work(duplex);
  } finally {
    duplex.close();
  }
}
