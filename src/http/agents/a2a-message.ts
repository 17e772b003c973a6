import { isUuid } from '../../base/ids.js';
import { asObject, isObject, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { RPC_CODES, RpcError } from './json-rpc.js';

/** A message that a client sends to an agent, in either version of the protocol. */
export interface IncomingMessage {
  /** Lower case; null: start a new context. */
  contextId: string | null;
  /** Id of a task that waits for input; null: start a new task. */
  taskId: string | null;
  /** True for text and files, which need a graph with messages. Data alone does not. */
  hasMessage: boolean;
}

const CONFIGURATION = 'params.configuration';

const invalidParams = (problem: string): RpcError => new RpcError(RPC_CODES.params, `Invalid params: ${problem}`);

/** Throws RpcError. */
export function readMessage(params: JsonObject): IncomingMessage {
  const { message } = params;
  if (!isObject(message)) throw invalidParams('message must be an object.');
  const { role, parts, messageId } = message;
  if (role !== 'user' && role !== 'ROLE_USER') throw invalidParams('message.role must be that of the user.');
  if (typeof messageId !== 'string' || messageId === '') throw invalidParams('message.messageId must be text.');
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > LIMITS.messagePartsMax)
    throw invalidParams(`message.parts must be a list of 1 to ${LIMITS.messagePartsMax} parts.`);
  const contents = parts.map((part: unknown, at) => {
    const content = readPart(part);
    if (content === null) throw invalidParams(`message.parts[${at}] has neither text nor data nor a file.`);
    return content;
  });
  return {
    contextId: readContextId(params),
    taskId: readId(message, 'taskId'),
    hasMessage: contents.some(({ data }) => data === undefined),
  };
}

/** The thread that a message names; null when it names none. Throws RpcError. */
function readContextId(params: JsonObject): string | null {
  const id = readId(asObject(params['message']), 'contextId') ?? readId(asObject(params['thread']), 'threadId');
  if (id !== null && !isUuid(id)) throw invalidParams('contextId must be a UUID: it is the id of a thread.');
  return id;
}

/** Like `contextOf`, but never throws: used before the request is validated. */
export function tryReadThreadId(params: JsonObject): string | null {
  try {
    return readContextId(params);
  } catch {
    return null;
  }
}

function readId(object: JsonObject, name: string): string | null {
  const id = object[name];
  if (id === undefined || id === null || id === '') return null;
  if (typeof id !== 'string') throw invalidParams(`${name} must be text.`);
  return id.toLowerCase();
}

/** The id of the task that a method is about. Throws RpcError. */
export function readTaskId(params: JsonObject): string {
  const id = readId(params, 'id') ?? readId(params, 'taskId');
  if (id === null) throw invalidParams('id must be the id of a task.');
  return id;
}

/** Reads how much of the history to return; none by default. Throws RpcError. */
export function readHistory(
  params: JsonObject,
  header: string | undefined,
): { historyLength: number; currentTurnOnly: boolean } {
  const { historyLength = 0, historyScope = header } = { ...asObject(params['configuration']), ...params };
  if (historyLength !== null && (!Number.isInteger(historyLength) || (historyLength as number) < 0))
    throw invalidParams('historyLength must be a whole number.');
  if ((historyLength as number) > LIMITS.historyLengthMax)
    throw new RpcError(RPC_CODES.params, `historyLength cannot exceed ${LIMITS.historyLengthMax}`);
  return { historyLength: (historyLength as number | null) ?? 0, currentTurnOnly: historyScope === 'task' };
}

/** Reads whether to respond before the run has ended. Throws RpcError. */
export function readReturnImmediately(params: JsonObject): boolean {
  const { blocking, returnImmediately, pushNotificationConfig, taskPushNotificationConfig } = asObject(
    params['configuration'],
  );
  for (const flag of [blocking, returnImmediately])
    if (flag !== undefined && flag !== null && typeof flag !== 'boolean')
      throw invalidParams(`${CONFIGURATION}.blocking and returnImmediately must be true or false.`);
  if (isObject(pushNotificationConfig) || isObject(taskPushNotificationConfig))
    throw new RpcError(-32003, 'Push notifications are not supported');
  return blocking === false || returnImmediately === true;
}

/** Converts a message into a run. Ignores invalid parts: other functions report them. */
export function messageToRun(body: unknown): JsonObject {
  const params = asObject(asObject(body)['params']);
  const message = asObject(params['message']);
  const contents = (Array.isArray(message['parts']) ? message['parts'] : [])
    .map(readPart)
    .filter((one) => one !== null);
  const data = contents.flatMap((one) => (one.data === undefined ? [] : [one.data]));
  const blocks = contents.flatMap((one) => (one.block === undefined ? [] : [one.block]));
  const texts = blocks.map((block) => block['text']);
  const text = texts.every((one) => typeof one === 'string') ? texts.join('\n') : null;
  const merged: JsonObject = Object.fromEntries(data.flatMap((one) => Object.entries(one)));
  // The response to an interrupt of a graph.
  if (message['taskId'] !== undefined && message['taskId'] !== null && message['taskId'] !== '')
    return { command: { resume: data.length > 0 ? merged : (text ?? blocks) } };
  const messages =
    blocks.length === 0
      ? {}
      : {
          messages: [
            {
              role: 'user',
              content: text ?? blocks,
              ...(typeof message['messageId'] === 'string' ? { id: message['messageId'] } : {}),
            },
          ],
        };
  return { input: { ...merged, ...messages }, if_not_exists: 'create' };
}

/**
 * Converts a part into what the graph receives; null if it is invalid. Version 1.0 distinguishes parts by their
 * members, 0.3 by `kind`.
 */
function readPart(part: unknown): { data?: JsonObject; block?: JsonObject } | null {
  if (!isObject(part)) return null;
  const { text, data, file } = part;
  if (typeof text === 'string') return { block: { type: 'text', text } };
  if (isObject(data)) return { data };
  const { raw, bytes, url, uri, mediaType, mimeType, filename, name } = isObject(file) ? file : part;
  const content = raw ?? bytes;
  const address = url ?? uri;
  if (typeof content !== 'string' && typeof address !== 'string') return null;
  const type = mediaType ?? mimeType;
  const kind = typeof type === 'string' ? (/^(image|audio|video)\//.exec(type)?.[1] ?? 'file') : 'file';
  const title = filename ?? name;
  return {
    block: {
      type: kind,
      ...(typeof content === 'string' ? { data: content } : { url: address }),
      ...(typeof type === 'string' ? { mimeType: type } : {}),
      ...(typeof title === 'string' ? { metadata: { filename: title } } : {}),
    },
  };
}
