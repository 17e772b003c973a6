/**
 * Entry of an evaluation thread: parses uploads, makes statistics, answers reads. It reads the store and never writes it;
 * what is to be kept goes to the front as finished keys and bytes.
 */
import type { MessagePort } from 'node:worker_threads';
import { ThreadmillError } from '../../src/base/errors.js';
import { Reader } from '../../src/store/reader.js';
import { unpack } from '../../src/wire/codec.js';
import { Conversation } from '../../src/wire/user-code/duplex.js';
import type {
  EvaluationResult,
  EvaluationTask,
  EvaluationWorkerData,
  FromUpload,
  ReadAsk,
  ToUpload,
} from '../../src/wire/evaluation/evaluation.js';
import type { FromExamples, ToExamples } from '../../src/wire/evaluation/example-writes.js';
import type { FromExport, ToExport } from '../../src/wire/evaluation/exports.js';
import type { FromIngest, ToIngest } from '../../src/wire/evaluation/ingest.js';
import { startBeating } from '../../src/wire/vitals.js';
import { ownWorkerData } from '../../src/wire/worker-data.js';
import { Caches } from './caches.js';
import { sendExport } from './exports.js';
import { ingest } from './ingest.js';
import { answer } from './reads.js';
import { statisticsOf } from './aggregate.js';
import { upload } from './upload.js';
import { writeExamples } from './write-examples.js';

const { dataFile, encryption, vitals } = ownWorkerData<EvaluationWorkerData>();
startBeating(vitals);
const reader = Reader.attach(dataFile, encryption);
const caches = new Caches(reader);

export default async function evaluate(task: EvaluationTask): Promise<EvaluationResult> {
  try {
    return { ok: true, value: await perform(task) };
  } catch (error) {
    if (error instanceof ThreadmillError) return { ok: false, code: error.code, params: error.params };
    // A rejected task means to the pool that the thread is gone.
    return { ok: false, code: null, stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function perform(task: EvaluationTask): Promise<unknown> {
  caches.begin();
  switch (task.type) {
    case 'read':
      return answer(caches, unpack<ReadAsk>(task.ask));
    case 'statistics':
      return statisticsOf(caches, task.list);
    case 'upload':
      return talked(task.port, (talk: Conversation<FromUpload, ToUpload>) => upload(talk, reader));
    case 'export':
      return talked(task.port, (talk: Conversation<FromExport, ToExport>) =>
        sendExport(talk, caches, unpack<ReadAsk>(task.ask)),
      );
    case 'examples':
      return talked(task.port, (talk: Conversation<FromExamples, ToExamples>) => writeExamples(talk, caches));
    case 'ingest':
      return talked(task.port, (talk: Conversation<FromIngest, ToIngest>) => ingest(talk));
  }
}

async function talked<Out, In, T>(port: MessagePort, work: (talk: Conversation<Out, In>) => Promise<T>): Promise<T> {
  const talk = new Conversation<Out, In>(port);
  try {
    return await work(talk);
  } finally {
    talk.close();
  }
}
