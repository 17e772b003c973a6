import { OutsideRefusedError } from '../../../src/wire/user-code/network-guard.js';
import type { UnrecordedPolicy } from '../../../src/wire/user-code/graph-source.js';
import { requestBodyOf, UNREADABLE_BODY } from '../recording/http-body.js';
import { secretRemover } from '../recording/run-recorder.js';
import { piecesOf, readBody, wholeOf, type ReadBody } from '../recording/undici-body.js';
import { interceptDispatchers, type DispatchOptions, type UndiciRequest } from '../recording/undici-dispatchers.js';
import { answerTo, currentReplayer, refusalOf, stubbedCall } from './call-answer.js';
import { UndiciAnswer } from './undici-answer.js';

/** Answers the requests of the package `undici` from recordings. */
export function answerUndici(unrecorded: UnrecordedPolicy): void {
  interceptDispatchers((request) => {
    void answer(request, unrecorded);
    // More requests can be sent at once.
    return true;
  });
}

async function answer(request: UndiciRequest, unrecorded: UnrecordedPolicy): Promise<void> {
  const { options, handler, send } = request;
  const to = new UndiciAnswer(handler);
  try {
    // Handlers expect nothing while their function sends the request.
    await Promise.resolve();
    to.begin();
    const { body, sent } = await wholeBody(options);
    const found = answerTo(request, await body, unrecorded);
    switch (found.kind) {
      case 'live':
        if (to.release()) send(sent, handler);
        return;
      case 'refused':
        to.fail(new OutsideRefusedError(refusalOf(request)));
        return;
      case 'stub':
        await to.send(stubbedCall(request, found.stub), false);
        return;
      case 'recorded':
        await to.send(found.call, currentReplayer()!.keepsTiming);
    }
  } catch (error) {
    to.fail(error);
  }
}

/** Pieces are read to their end before the request is answered. */
async function wholeBody(options: DispatchOptions): Promise<ReadBody> {
  const pieces = piecesOf(options);
  if (pieces === null) return readBody(options) ?? { body: Promise.resolve(UNREADABLE_BODY), sent: options.body };
  const bytes = await wholeOf(pieces);
  return { body: Promise.resolve(requestBodyOf(bytes, secretRemover())), sent: bytes };
}
