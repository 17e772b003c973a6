import { syncBuiltinESMExports } from 'node:module';
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
import { answerUndici } from './answer-undici.js';
import { answerTo, chunksOf, currentReplayer, recordedError, refusalOf, WITHOUT_BODY } from './call-answer.js';

/**
 * Answers the requests of replayed runs from their recordings, and cuts everything else off from the network. Call it
 * before user code is loaded.
 */
export function replaceOutside({ unrecorded }: ReplaySettings): void {
  interceptPlatformValues();
  // Before `fetch` is replaced below, so that those requests are answered once.
  answerUndici(unrecorded);
  const interceptor = new BatchInterceptor({
    name: 'replay',
    interceptors: [new FetchInterceptor(), new ClientRequestInterceptor()],
  });
  interceptor.on('request', async ({ request, controller }) => {
    const answer = answerTo(request, await bodyOf(request), unrecorded);
    switch (answer.kind) {
      case 'live':
        return;
      case 'refused':
        controller.errorWith(new OutsideRefusedError(refusalOf(request)));
        return;
      case 'stub': {
        const { status, headers, body } = answer.stub;
        controller.respondWith(new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers }));
        return;
      }
      case 'recorded':
        respond(controller, answer.call, currentReplayer()!.keepsTiming);
    }
  });
  interceptor.apply();
  // For modules that import the functions of node:http by name.
  syncBuiltinESMExports();
  if (unrecorded !== 'live') guardNetwork((what) => currentReplayer()?.onRefused(what));
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
    controller.errorWith(Object.assign(new TypeError('fetch failed'), { cause: recordedError(error) }));
    return;
  }
  const body = WITHOUT_BODY.has(status) ? null : ReadableStream.from(chunksOf(call, keepsTiming));
  controller.respondWith(new Response(body, { status, statusText, headers }));
}
