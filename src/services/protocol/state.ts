import { asObject, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import type { CheckpointRecord } from '../../store/threads/checkpoints.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import {
  parseNamespace,
  ProtocolError,
  requireThread,
  type CommandRequest,
  type CommandResult,
} from './command-context.js';
import { withDeletionCheck } from '../state/state.js';
import { StateContentReader } from '../state/state-content-reader.js';
import { parseStateSelect, StateView } from '../state/state-view.js';

const SUMMARY = parseStateSelect(['metadata', 'created_at']);
const LISTED = 20;

/** `state.get`: the values of a namespace, or only those in `keys`, and their checkpoint. */
export async function getState(call: CommandRequest): Promise<CommandResult> {
  const { services, caller, params } = call;
  const thread = requireThread(call, 'state.get');
  const { keys } = params;
  if (keys !== undefined && keys !== null && !(Array.isArray(keys) && keys.every((key) => typeof key === 'string')))
    throw new ProtocolError('invalid_argument', 'state.get: keys: must be a list of strings');
  const ns = parseNamespace(params, 'state.get');
  const record = services.stores.checkpoints.newestWithView(caller, thread, ns);
  if (record === undefined) {
    if (ns !== '') throw noNamespace('state.get', params);
    return { result: '{"values":{}}' };
  }
  const view = new StateView(new StateContentReader(services.stores, caller, thread), record);
  const values = await services.timeSlicer.run(
    withDeletionCheck(services, caller, { thread, view }, view.values(Array.isArray(keys) ? new Set(keys) : null)),
    call.isAborted,
  );
  return {
    result: `{"values":${values},"checkpoint":${JSON.stringify({ id: record.id, ...(ns === '' ? {} : { ns }) })}}`,
  };
}

/** `state.listCheckpoints`: checkpoints before `before`, newest first. */
export async function listCheckpoints(call: CommandRequest): Promise<CommandResult> {
  const { services, caller, params } = call;
  const thread = requireThread(call, 'state.listCheckpoints');
  const { limit = LISTED, before = null } = params;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > LIMITS.checkpointsListedMax)
    throw new ProtocolError(
      'invalid_argument',
      `state.listCheckpoints: limit: must be a whole number from 1 to ${LIMITS.checkpointsListedMax}`,
    );
  if (before !== null && typeof before !== 'string')
    throw new ProtocolError('invalid_argument', 'state.listCheckpoints: before: must be the id of a checkpoint');
  const ns = parseNamespace(params, 'state.listCheckpoints');
  if (ns !== '' && services.stores.checkpoints.get(caller, thread, ns, null) === undefined)
    throw noNamespace('state.listCheckpoints', params);
  if (before !== null && services.stores.checkpoints.get(caller, thread, ns, before) === undefined)
    throw new ProtocolError('no_such_checkpoint', `state.listCheckpoints: there is no checkpoint ${before}`);
  const checkpoints = await services.timeSlicer.run(summaries(call, thread, { ns, limit, before }), call.isAborted);
  return { result: JSON.stringify({ checkpoints }) };
}

function* summaries(
  { services, caller }: CommandRequest,
  thread: ThreadRecord,
  { ns, limit, before }: { ns: string; limit: number; before: string | null },
): Steps<JsonObject[]> {
  const { stores } = services;
  const content = new StateContentReader(stores, caller, thread);
  const found: JsonObject[] = [];
  let at: CheckpointRecord | string | null = before;
  while (found.length < limit) {
    const record: CheckpointRecord | undefined = stores.checkpoints.newestBefore(caller, thread, ns, at);
    if (record === undefined) break;
    at = record;
    const view = new StateView(content, record);
    const { metadata, created_at: timestamp } = JSON.parse(
      yield* withDeletionCheck(services, caller, { thread, view }, view.json(SUMMARY, false)),
    ) as JsonObject;
    found.push({ id: record.id, timestamp: timestamp!, step: asObject(metadata)['step'] ?? null, metadata: metadata! });
    yield;
  }
  return found;
}

function noNamespace(method: string, params: JsonObject): Error {
  return new ProtocolError(
    'no_such_namespace',
    `${method}: nothing is stored under ${JSON.stringify(params['namespace'])}`,
  );
}
