import { describeThrown } from '../../../src/base/thrown.js';
import { requestBodyOf, UNREADABLE_BODY, type RequestBody } from './http-body.js';
import { RunRecorder, secretRemover, type OpenCall } from './run-recorder.js';
import { runScope } from './run-scope.js';
import { copied, piecesOf, readBody, type ReadBody } from './undici-body.js';
import { interceptDispatchers, type DispatchHandler, type DispatchOptions } from './undici-dispatchers.js';

/** Records the requests of the package `undici` and their answers. */
export function observeUndici(): void {
  interceptDispatchers(({ method, url, options, handler, send }) => {
    const recorder = runScope.getStore();
    if (!(recorder instanceof RunRecorder)) return send(options.body, handler);
    const { body, sent } = observedBody(options);
    const call = recorder.beginCall(method, url, body);
    if (call === null) return send(sent, handler);
    try {
      return send(sent, observed(handler, recorder, call));
    } catch (error) {
      call.error ??= describeThrown(error).message;
      throw error;
    }
  });
}

/** Pieces are copied while undici sends them. */
function observedBody(options: DispatchOptions): ReadBody {
  const pieces = piecesOf(options);
  if (pieces === null) return readBody(options) ?? { body: Promise.resolve(UNREADABLE_BODY), sent: options.body };
  let resolve: (body: RequestBody) => void;
  const body = new Promise<RequestBody>((settle) => {
    resolve = settle;
  });
  const onEnd = (bytes: Uint8Array | null): void =>
    resolve(bytes === null ? UNREADABLE_BODY : requestBodyOf(bytes, secretRemover()));
  return { body, sent: copied(pieces, onEnd) };
}

type Watch = (args: unknown[], recorder: RunRecorder, call: OpenCall) => void;

const onHead = (call: OpenCall, status: unknown, headers: unknown, statusText: unknown): void => {
  if (Number(status) < 200) return;
  call.status = Number(status);
  call.statusText = typeof statusText === 'string' ? statusText : '';
  call.headers = headerPairs(headers);
};
const onData = (recorder: RunRecorder, call: OpenCall, chunk: unknown): void => {
  if (chunk instanceof Uint8Array) recorder.addChunk(call, chunk);
};
const onEnd = (call: OpenCall): void => {
  call.isComplete = true;
};
const onError = (call: OpenCall, error: unknown): void => {
  const { name, message } = describeThrown(error);
  // A run that stops reading an answer does so again in a replay.
  if (call.status === null || name !== 'AbortError') call.error ??= message;
};
const onOther: Watch = () => undefined;

/** The methods of handlers in all versions, and what is seen there. */
const METHODS: Record<string, Watch> = {
  onConnect: onOther,
  onUpgrade: onOther,
  onBodySent: onOther,
  onRequestSent: onOther,
  onResponseStarted: onOther,
  onHeaders: ([status, headers, , statusText], _recorder, call) => onHead(call, status, headers, statusText),
  onData: ([chunk], recorder, call) => onData(recorder, call, chunk),
  onComplete: (_args, _recorder, call) => onEnd(call),
  onError: ([error], _recorder, call) => onError(call, error),
  onRequestStart: onOther,
  onRequestUpgrade: onOther,
  onResponseStart: ([, status, headers, statusText], _recorder, call) => onHead(call, status, headers, statusText),
  onResponseData: ([, chunk], recorder, call) => onData(recorder, call, chunk),
  onResponseEnd: (_args, _recorder, call) => onEnd(call),
  onResponseError: ([, error], _recorder, call) => onError(call, error),
};

/** A handler with the same methods. Undici looks at which there are. */
function observed(handler: DispatchHandler, recorder: RunRecorder, call: OpenCall): DispatchHandler {
  const result: DispatchHandler = {};
  for (const [name, watch] of Object.entries(METHODS)) {
    if (typeof handler[name] !== 'function') continue;
    result[name] = (...args) => {
      watch(args, recorder, call);
      return handler[name]!(...args);
    };
  }
  return result;
}

/** Names and values one after the other, as bytes or text; or an object, whose values may be lists. */
function headerPairs(headers: unknown): [string, string][] {
  const text = (value: unknown): string =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
  const pairs: [unknown, unknown][] = Array.isArray(headers)
    ? Array.from({ length: headers.length / 2 }, (_, at) => [headers[2 * at], headers[2 * at + 1]])
    : Object.entries(headers ?? {});
  return pairs.flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value): [string, string] => [text(name), text(value)]),
  );
}
