import { setTimeout as sleep } from 'node:timers/promises';
import { utf8 } from '../../../src/base/json/json.js';
import type { StubAnswer, UnrecordedPolicy } from '../../../src/wire/user-code/graph-source.js';
import type { RecordedCall } from '../../../src/wire/runs/recording.js';
import type { RequestBody } from '../recording/http-body.js';
import { secretRemover } from '../recording/run-recorder.js';
import { runScope } from '../recording/run-scope.js';
import { RunReplayer, type CallAnswer } from './run-replayer.js';

/** Statuses of responses that must not have a body. */
export const WITHOUT_BODY = new Set([101, 103, 204, 205, 304]);

export function currentReplayer(): RunReplayer | null {
  const scope = runScope.getStore();
  return scope instanceof RunReplayer ? scope : null;
}

/** What a request gets, also one that is made outside of runs. */
export function answerTo(
  { method, url }: { method: string; url: string },
  body: RequestBody,
  unrecorded: UnrecordedPolicy,
): CallAnswer {
  const answer = currentReplayer()?.answer(method, secretRemover().url(url), body);
  return answer ?? (unrecorded === 'live' ? { kind: 'live' } : { kind: 'refused' });
}

export function refusalOf({ method, url }: { method: string; url: string }): string {
  return `${method} ${secretRemover().url(url)}, which was not recorded,`;
}

/** An answer of the user's file as a recorded one. */
export function stubbedCall({ method, url }: { method: string; url: string }, stub: StubAnswer): RecordedCall {
  return {
    ...{ lane: '', method, url, requestBody: null, requestHash: '', status: stub.status, statusText: '' },
    ...{ headers: Object.entries(stub.headers), chunks: [[0, utf8(stub.body)]], error: null, isComplete: true },
  };
}

/** The pieces of an answer, with their timing if it is wanted. Fails as the recorded answer did. */
export async function* chunksOf({ chunks, error }: RecordedCall, keepsTiming: boolean): AsyncGenerator<Uint8Array> {
  let passedMs = 0;
  for (const [afterMs, bytes] of chunks) {
    if (keepsTiming) await sleep(Math.max(0, afterMs - passedMs));
    passedMs = afterMs;
    yield Uint8Array.from(bytes);
  }
  if (error !== null) throw recordedError(error);
}

/** Clients look at the code of an error, or at its name, to try again. */
export function recordedError(message: string | null): Error {
  const error = new Error(message ?? 'no answer');
  const code = /\bE[A-Z]{4,}\b/.exec(error.message)?.[0];
  if (code !== undefined) return Object.assign(error, { code });
  return / aborted\b/.test(error.message) ? Object.assign(error, ABORTED) : error;
}

/** As undici gives it to a request that is aborted. */
const ABORTED = { name: 'AbortError', code: 'UND_ERR_ABORTED' };

export function abortError(): Error {
  return Object.assign(new Error('Request aborted'), ABORTED);
}
