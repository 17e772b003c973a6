import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { utf8 } from '../../../src/base/json/json.js';
import { LIMITS } from '../../../src/base/limits.js';
import { pack } from '../../../src/wire/codec.js';
import type { EndStatus, MemoryOperation, MemoryResult, RunJob } from '../../../src/wire/runs/messages.js';
import {
  packRecording,
  RECORDING_VERSION,
  type RecordedCall,
  type RecordedMemory,
  type RecordedRun,
  type RecordedValues,
} from '../../../src/wire/runs/recording.js';
import type { Library } from '../library.js';
import { decodedBody, textOf, UNREADABLE_BODY, withoutConnectionHeaders, type RequestBody } from './http-body.js';
import { SecretRemover } from './remove-secrets.js';
import { laneOf, type RunScope } from './run-scope.js';

const compress = promisify(gzip);

/** Values and calls of a run that are recorded. */
const TIMES_MAX = 20_000;
const RANDOMS_MAX = 10_000;
const CALLS_MAX = 5_000;

/** How long a run that ends waits for bodies of requests that it has not sent to their end. */
const BODIES_WAIT_MS = 100;

const TOO_LONG = 'The answer is too long for the recording.';

/** Bytes that the recordings of all runs of this thread hold. */
let threadBytes = 0;

let remover: SecretRemover | null = null;

/** The same for all runs of a thread, because the environment does not change. */
export function secretRemover(): SecretRemover {
  return (remover ??= new SecretRemover(process.env));
}

/** A request that the run has made. */
export interface OpenCall {
  lane: string;
  method: string;
  url: string;
  startedMs: number;
  body: Promise<RequestBody>;
  status: number | null;
  statusText: string;
  headers: [string, string][];
  chunks: [afterMs: number, bytes: Uint8Array][];
  error: string | null;
  isComplete: boolean;
}

/** Records what one attempt of a run gets from outside. */
export class RunRecorder implements RunScope {
  readonly #library: Library;
  readonly #run: RecordedRun;
  readonly #calls: OpenCall[] = [];
  readonly #memory: RecordedMemory[] = [];
  readonly #values: RecordedValues = { times: {}, randoms: {} };
  readonly #lastTimes = new Map<string, number>();
  #timesLeft = TIMES_MAX;
  #randomsLeft = RANDOMS_MAX;
  #bytes = 0;
  #isComplete = true;

  constructor(job: RunJob, library: Library, startedAtMs: number) {
    this.#library = library;
    this.#run = recordedRun(job, startedAtMs);
  }

  get lane(): string {
    return laneOf(this.#library);
  }

  time(real: number): number {
    if (this.#timesLeft === 0) return real;
    this.#timesLeft -= 1;
    const { lane } = this;
    (this.#values.times[lane] ??= []).push(real - (this.#lastTimes.get(lane) ?? 0));
    this.#lastTimes.set(lane, real);
    return real;
  }

  random(real: number): number {
    this.#addRandom(real);
    return real;
  }

  idBytes(real: Uint8Array): Uint8Array {
    this.#addRandom(Uint8Array.from(real));
    return real;
  }

  #addRandom(value: number | Uint8Array): void {
    if (this.#randomsLeft === 0) return;
    this.#randomsLeft -= 1;
    (this.#values.randoms[this.lane] ??= []).push(value);
  }

  /** Null if the recording is full. */
  beginCall(method: string, url: string, body: Promise<RequestBody>): OpenCall | null {
    if (this.#calls.length >= CALLS_MAX || !this.#hasRoomFor(0)) {
      this.#isComplete = false;
      return null;
    }
    const call: OpenCall = {
      ...{ lane: this.lane, method, url, startedMs: performance.now(), body },
      ...{ status: null, statusText: '', headers: [], chunks: [], error: null, isComplete: false },
    };
    this.#calls.push(call);
    return call;
  }

  addChunk(call: OpenCall, bytes: Uint8Array): void {
    // A shorter piece that follows would leave a gap.
    if (call.error === TOO_LONG) return;
    if (!this.#hasRoomFor(bytes.byteLength)) {
      call.error = TOO_LONG;
      this.#isComplete = false;
      return;
    }
    call.chunks.push([Math.round(performance.now() - call.startedMs), Uint8Array.from(bytes)]);
  }

  addMemory(operations: readonly MemoryOperation[], results: readonly MemoryResult[]): void {
    const packed = pack(results);
    if (!this.#hasRoomFor(packed.byteLength)) this.#isComplete = false;
    else this.#memory.push({ lane: this.lane, hash: memoryHash(operations), results: packed });
  }

  /** False if the run, or all runs of the thread together, hold too much. Otherwise counts the bytes. */
  #hasRoomFor(bytes: number): boolean {
    if (this.#bytes + bytes > LIMITS.recordingBytesMax) return false;
    if (threadBytes + bytes > LIMITS.recordingBytesPerThreadMax) return false;
    this.#bytes += bytes;
    threadBytes += bytes;
    return true;
  }

  /** Call it when the run has ended. */
  release(): void {
    threadBytes -= this.#bytes;
    this.#bytes = 0;
    this.#calls.length = 0;
  }

  /** The recording, compressed. */
  async finish(outcome: { status: EndStatus; error: string | null }): Promise<Uint8Array<ArrayBuffer>> {
    const secrets = secretRemover();
    const late = sleep(BODIES_WAIT_MS, UNREADABLE_BODY, { ref: false });
    const calls = await Promise.all(
      this.#calls.map(async (call) => recordedCall(call, await Promise.race([call.body, late]), secrets)),
    );
    return new Uint8Array(
      await compress(
        packRecording({
          v: RECORDING_VERSION,
          run: this.#run,
          calls,
          memory: this.#memory,
          values: this.#values,
          secretVariables: [...secrets.variables],
          outcome: { ...outcome, error: outcome.error === null ? null : secrets.text(outcome.error) },
          isComplete: this.#isComplete,
        }),
        { level: 1 },
      ),
    );
  }
}

export function memoryHash(operations: readonly MemoryOperation[]): string {
  return createHash('sha256').update(pack(operations)).digest('base64url');
}

/** A write is executed again by a replay, in a store of its own. */
export function isMemoryRead(operations: readonly MemoryOperation[]): boolean {
  return operations.every(({ op }) => op !== 'put');
}

function recordedCall(call: OpenCall, { hash, text }: RequestBody, secrets: SecretRemover): RecordedCall {
  const { lane, method, url, status, statusText, isComplete } = call;
  const { headers, chunks } = withDecodedBody(call);
  return {
    ...{ lane, method, status, statusText, isComplete },
    url: secrets.url(url),
    requestBody: text === null ? null : utf8(text),
    requestHash: hash,
    headers: secrets.headers(withoutConnectionHeaders(headers)),
    chunks: withoutSecrets(chunks, secrets),
    error: call.error === null ? null : secrets.text(call.error),
  };
}

/** Secrets cannot be found in a compressed body. One that cannot be decoded is left out. */
function withDecodedBody({ headers, chunks }: OpenCall): Pick<OpenCall, 'headers' | 'chunks'> {
  const isEncoding = ([name]: [string, string]): boolean => name.toLowerCase() === 'content-encoding';
  const encoding = headers.find(isEncoding)?.[1] ?? '';
  if (encoding === '' || encoding === 'identity' || chunks.length === 0) return { headers, chunks };
  const decoded = decodedBody(Buffer.concat(chunks.map(([, bytes]) => bytes)), encoding);
  return {
    headers: headers.filter((header) => !isEncoding(header)),
    chunks: decoded === null ? [] : [[chunks.at(-1)![0], decoded]],
  };
}

/** A secret may begin in one chunk and end in the next one. The pieces of such an answer become one. */
function withoutSecrets(chunks: RecordedCall['chunks'], secrets: SecretRemover): RecordedCall['chunks'] {
  if (chunks.length === 0) return chunks;
  const text = textOf(Buffer.concat(chunks.map(([, bytes]) => bytes)));
  if (text === null) return chunks;
  const clean = secrets.text(text);
  return clean === text ? chunks : [[chunks.at(-1)![0], utf8(clean)]];
}

function recordedRun(job: RunJob, startedAtMs: number): RecordedRun {
  const secrets = secretRemover();
  const clean = (json: Uint8Array): Uint8Array => utf8(secrets.json(Buffer.from(json).toString()));
  const { runId, threadId, graphId, assistantId, attempt, persistent, durability, streamModes, subgraphs } = job;
  const { interruptBefore, interruptAfter, strictResume, trace, head } = job;
  return {
    ...{ runId, threadId, graphId, assistantId, attempt, persistent, durability, streamModes, subgraphs },
    ...{ interruptBefore, interruptAfter, strictResume, startedAtMs },
    input: clean(job.input),
    command: job.command === null ? null : clean(job.command),
    config: clean(job.config),
    context: job.context === null ? null : clean(job.context),
    user: clean(job.user),
    headId: head?.id ?? null,
    isStateless: trace?.hasThread === false,
  };
}
