import { setTimeout as sleep } from 'node:timers/promises';
import { BatchInterceptor } from '@mswjs/interceptors';
import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest';
import { FetchInterceptor } from '@mswjs/interceptors/fetch';
import { guardNetwork, OutsideRefusedError } from '../../../src/wire/user-code/network-guard.js';
import type { ReplaySettings } from '../../../src/wire/user-code/graph-source.js';
import type { RecordedCall } from '../../../src/wire/runs/recording.js';
import { requestBodyOf, type RequestBody } from '../recording/http-body.js';
import { formText } from '../recording/observe-fetch.js';
import { interceptPlatformValues } from '../recording/platform-values.js';
import { secretRemover } from '../recording/run-recorder.js';
import { runScope } from '../recording/run-scope.js';
import { RunReplayer, type CallAnswer } from './run-replayer.js';

/** Statuses of responses that must not have a body. */
const WITHOUT_BODY = new Set([101, 103, 204, 205, 304]);

/**
 * Answers the requests of replayed runs from their recordings, and cuts everything else off from the network. Call it
 * before user code is loaded.
 */
export function replaceOutside({ unrecorded }: ReplaySettings): void {
  interceptPlatformValues();
  const interceptor = new BatchInterceptor({
    name: 'replay',
    interceptors: [new FetchInterceptor(), new ClientRequestInterceptor()],
  });
  interceptor.on('request', async ({ request, controller }) => {
    const replayer = currentReplayer();
    const url = secretRemover().url(request.url);
    const answer: CallAnswer =
      replayer?.answer(request.method, url, await bodyOf(request)) ??
      (unrecorded === 'live' ? { kind: 'live' } : { kind: 'refused' });
    switch (answer.kind) {
      case 'live':
        return;
      case 'refused':
        controller.errorWith(new OutsideRefusedError(`${request.method} ${url}, which was not recorded,`));
        return;
      case 'stub': {
        const { status, headers, body } = answer.stub;
        controller.respondWith(new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers }));
        return;
      }
      case 'recorded':
        respond(controller, answer.call, replayer!.keepsTiming);
    }
  });
  interceptor.apply();
  if (unrecorded !== 'live') guardNetwork((what) => currentReplayer()?.onRefused(what));
}

function currentReplayer(): RunReplayer | null {
  const scope = runScope.getStore();
  return scope instanceof RunReplayer ? scope : null;
}

async function bodyOf(request: Request): Promise<RequestBody> {
  const copy = request.clone();
  const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data') === true;
  const bytes = isForm ? Buffer.from(await formText(await copy.formData())) : new Uint8Array(await copy.arrayBuffer());
  return requestBodyOf(bytes, secretRemover());
}

interface Controller {
  respondWith(response: Response): void;
  errorWith(error: Error): void;
}

function respond(controller: Controller, call: RecordedCall, keepsTiming: boolean): void {
  const { status, statusText, headers, error } = call;
  if (status === null) {
    controller.errorWith(Object.assign(new TypeError('fetch failed'), { cause: new Error(error ?? 'no answer') }));
    return;
  }
  const body = WITHOUT_BODY.has(status) ? null : ReadableStream.from(chunksOf(call, keepsTiming));
  controller.respondWith(new Response(body, { status, statusText, headers }));
}

async function* chunksOf({ chunks, error }: RecordedCall, keepsTiming: boolean): AsyncGenerator<Uint8Array> {
  let passedMs = 0;
  for (const [afterMs, bytes] of chunks) {
    if (keepsTiming) await sleep(Math.max(0, afterMs - passedMs));
    passedMs = afterMs;
    yield Uint8Array.from(bytes);
  }
  if (error !== null) throw new Error(error);
}
