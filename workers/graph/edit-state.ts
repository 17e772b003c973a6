import type { MessagePort } from 'node:worker_threads';
import { unreachable } from '../../src/base/assert.js';
import { toErrorRecord, type ErrorRecord } from '../../src/base/errors.js';
import { isObject, parseJson, utf8, type JsonObject } from '../../src/base/json/json.js';
import { unpack } from '../../src/wire/codec.js';
import { WIRE_VERSION, type EditJob, type EndStatus, type ToWorker } from '../../src/wire/runs/messages.js';
import { graphHost, type Graph } from './graph-host.js';
import { commandOf, jobConfig } from './job-config.js';
import type { Library } from './library.js';
import { createItemStore } from './item-store.js';
import { Outbox } from './outbox.js';
import { createSaver } from './saver.js';
import { Values } from './values.js';
import { Views, type CheckpointChunk } from './views.js';
import { warmThreads } from './warm.js';
import type { WireJson } from './wire-json.js';

/** One update of a superstep, as a client sends it. */
interface Update {
  values?: unknown;
  command?: JsonObject | null;
  as_node?: string | null;
}

/**
 * Changes a thread's state like the graph itself: values go through its channels as if a node had written them.
 * Never rejects. The end message contains the error, and the main thread then reverts what was stored.
 */
export async function editState(job: EditJob, port: MessagePort, json: WireJson): Promise<void> {
  const outbox = new Outbox(port, 0);
  port.on('message', (bytes: Uint8Array) => {
    const message = unpack<ToWorker>(bytes);
    switch (message.type) {
      case 'reply':
        outbox.settleRequest(message.requestId, message.ok, message.ok ? message.value : message.error);
        break;
      case 'run.credit':
        break;
      // The main thread has given up and sends no more replies.
      case 'run.cancel':
        outbox.close();
        break;
      default:
        unreachable(message);
    }
  });
  let status: EndStatus = 'success';
  let error: ErrorRecord | null = null;
  let result = '{}';
  try {
    if (job.wireVersion !== WIRE_VERSION)
      throw new Error(`This worker uses wire version ${WIRE_VERSION}, the server ${job.wireVersion}.`);
    result = JSON.stringify(await edit(job, outbox, json));
  } catch (thrown) {
    status = 'error';
    error = toErrorRecord(thrown);
    // The main thread reverts what this edit stored.
    warmThreads.forget(job.threadId);
  }
  outbox.send({
    type: 'run.ended',
    status,
    error,
    lastSeq: outbox.lastSeq,
    result: utf8(result),
    asks: false,
    refusal: null,
  });
  outbox.close();
  port.removeAllListeners('message');
  port.unref();
}

/** Returns the `configurable` of the new checkpoint. */
async function edit(job: EditJob, outbox: Outbox, json: WireJson): Promise<JsonObject> {
  const library = await graphHost.library;
  const config = jobConfig(job);
  const graph = await graphHost.graph(job.graphId, config);
  const values = new Values(library, library.serde, json);
  const views = new Views(outbox, values, json);
  const threadGraph = Object.create(graph) as Graph;
  threadGraph.checkpointer = createSaver(library, { job, outbox, values, views });
  threadGraph.store = createItemStore(library, outbox);
  if (!job.headShown) await views.sendHead(() => threadGraph.getState({ configurable: { thread_id: job.threadId } }));
  const supersteps = (parseJson(job.supersteps) as { updates: Update[] }[]).map(({ updates }) => ({
    updates: updates.map((update) => updateOf(update, library)),
  }));
  let at = config as never;
  for (const superstep of supersteps) {
    const after = (await threadGraph.bulkUpdateState(at, [superstep as never])) as { configurable?: JsonObject };
    // The library emits no checkpoint that is stored outside of a run, so read it.
    for (const { ns, id } of views.withoutChunk()) {
      views.addChunk(
        (await threadGraph.getState({
          configurable: { ...after.configurable, checkpoint_ns: ns, checkpoint_id: id },
        })) as unknown as CheckpointChunk,
      );
    }
    at = { ...config, configurable: { ...(config['configurable'] as JsonObject), ...after.configurable } } as never;
  }
  const {
    checkpoint_ns = '',
    checkpoint_id,
    checkpoint_map = null,
  } = (at as { configurable: JsonObject }).configurable;
  return { thread_id: job.threadId, checkpoint_ns, checkpoint_id, checkpoint_map };
}

function updateOf({ values = null, command, as_node }: Update, library: Library): unknown {
  return {
    values: isObject(command) ? commandOf(command, library) : values,
    ...(as_node === undefined || as_node === null ? {} : { asNode: as_node }),
  };
}
