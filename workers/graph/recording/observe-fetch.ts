import { describeThrown } from '../../../src/base/thrown.js';
import { requestBodyOf, UNREADABLE_BODY, type RequestBody } from './http-body.js';
import { RunRecorder, secretRemover, type OpenCall } from './run-recorder.js';
import { runScope } from './run-scope.js';

/** Records the requests of `fetch` and their answers. Calls outside of recorded runs are not touched. */
export function observeFetch(): void {
  const original = globalThis.fetch;
  globalThis.fetch = async function fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const recorder = runScope.getStore();
    if (!(recorder instanceof RunRecorder)) return original(input, init);
    const request = input instanceof Request ? input : null;
    const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
    const url = request === null ? String(input) : request.url;
    const call = recorder.beginCall(method, url, bodyOf(request, init));
    if (call === null) return original(input, init);
    let response: Response;
    try {
      response = await original(input, init);
    } catch (error) {
      call.error = describeThrown(error).message;
      throw error;
    }
    call.status = response.status;
    call.statusText = response.statusText;
    // The body is decoded already.
    call.headers = [...response.headers].filter(([name]) => name !== 'content-encoding');
    return observed(response, recorder, call);
  };
}

/** The body, where it can be read without taking it away from the request. */
async function bodyOf(request: Request | null, init: RequestInit | undefined): Promise<RequestBody> {
  const secrets = secretRemover();
  const body = init?.body;
  try {
    if (body === undefined || body === null) {
      if (request === null || request.body === null || request.bodyUsed)
        return requestBodyOf(new Uint8Array(0), secrets);
      return requestBodyOf(new Uint8Array(await request.clone().arrayBuffer()), secrets);
    }
    if (typeof body === 'object' && Symbol.asyncIterator in body) return UNREADABLE_BODY;
    if (body instanceof FormData) return requestBodyOf(Buffer.from(await formText(body)), secrets);
    return requestBodyOf(new Uint8Array(await new Response(body).arrayBuffer()), secrets);
  } catch {
    return UNREADABLE_BODY;
  }
}

/** A form without the boundary between its parts, which is new each time. */
export async function formText(form: FormData): Promise<string> {
  const parts = [...form].map(async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()]);
  return JSON.stringify(await Promise.all(parts));
}

/** The same response, with a body that is recorded while it is read. */
function observed(response: Response, recorder: RunRecorder, call: OpenCall): Response {
  if (response.body === null) {
    call.isComplete = true;
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        call.error ??= describeThrown(error).message;
        throw error;
      });
      if (done) {
        call.isComplete = true;
        controller.close();
        // A read into a buffer of the reader waits for an answer of its own.
        controller.byobRequest?.respond(0);
        return;
      }
      recorder.addChunk(call, value);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers, url, redirected, type } = response;
  const copy = new Response(body, { status, statusText, headers });
  for (const [name, value] of Object.entries({ url, redirected, type }))
    Object.defineProperty(copy, name, { value, configurable: true });
  return copy;
}
