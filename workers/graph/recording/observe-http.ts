import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { requestBodyOf, type RequestBody } from './http-body.js';
import { RunRecorder, secretRemover, type OpenCall } from './run-recorder.js';
import { runScope } from './run-scope.js';

/** Records the requests of `node:http` and `node:https`, and their answers. */
export function observeHttp(): void {
  for (const module of [http, https]) {
    for (const name of ['request', 'get'] as const) {
      const original = module[name] as (...args: unknown[]) => ClientRequest;
      Object.assign(module, {
        [name](...args: unknown[]): ClientRequest {
          const request = original.apply(module, args);
          const recorder = runScope.getStore();
          if (recorder instanceof RunRecorder) observeRequest(request, recorder);
          return request;
        },
      });
    }
  }
  syncBuiltinESMExports();
}

/** Listeners would change the request: Node drops the answer of one that has none. So its methods are replaced. */
function observeRequest(request: ClientRequest, recorder: RunRecorder): void {
  const written: Buffer[] = [];
  let resolve: (body: RequestBody) => void;
  const body = new Promise<RequestBody>((settle) => {
    resolve = settle;
  });
  const { write, end, emit } = request;
  let call: OpenCall | null = null;
  // `get` has ended the request already.
  const begin = (): OpenCall | null => (call ??= recorder.beginCall(request.method, urlOf(request), body));
  const finishBody = (): void => resolve(requestBodyOf(Buffer.concat(written), secretRemover()));
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string')
      written.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    else if (chunk instanceof Uint8Array) written.push(Buffer.from(chunk));
  };
  if (request.writableEnded) {
    begin();
    finishBody();
  }
  Object.assign(request, {
    write(...args: unknown[]) {
      begin();
      keep(args[0], args[1]);
      return (write as (...all: unknown[]) => boolean).apply(request, args);
    },
    end(...args: unknown[]) {
      begin();
      keep(args[0], args[1]);
      finishBody();
      return (end as (...all: unknown[]) => ClientRequest).apply(request, args);
    },
    emit(event: string | symbol, ...args: unknown[]) {
      const open = begin();
      if (open !== null && event === 'response') observeResponse(args[0] as IncomingMessage, recorder, open);
      if (open !== null && event === 'error') open.error ??= (args[0] as Error).message;
      if (event === 'close') finishBody();
      return (emit as (...all: unknown[]) => boolean).call(request, event, ...args);
    },
  });
}

function observeResponse(response: IncomingMessage, recorder: RunRecorder, call: OpenCall): void {
  call.status = response.statusCode ?? null;
  call.statusText = response.statusMessage ?? '';
  for (let at = 0; at < response.rawHeaders.length; at += 2)
    call.headers.push([response.rawHeaders[at]!, response.rawHeaders[at + 1]!]);
  const { push } = response;
  response.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk === null) call.isComplete = true;
    else if (chunk instanceof Uint8Array) recorder.addChunk(call, chunk);
    return push.call(response, chunk, encoding);
  };
}

function urlOf(request: ClientRequest): string {
  // `host` has no port if the port is the usual one.
  const host = request.getHeader('host') ?? request.host;
  return `${request.protocol}//${String(host)}${request.path}`;
}
