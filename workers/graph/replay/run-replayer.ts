import { writeFileSync } from 'node:fs';
import { unpack } from '../../../src/wire/codec.js';
import type { MemoryOperation, MemoryResult } from '../../../src/wire/runs/messages.js';
import type { RecordedCall, RecordedMemory, Recording } from '../../../src/wire/runs/recording.js';
import type { ReplayReport, UnrecordedCall } from '../../../src/wire/runs/replay-report.js';
import type { ReplaySettings, StubAnswer } from '../../../src/wire/user-code/graph-source.js';
import type { Library } from '../library.js';
import type { RequestBody } from '../recording/http-body.js';
import { memoryHash } from '../recording/run-recorder.js';
import { laneOf, type RunScope } from '../recording/run-scope.js';

/** What a request of a replayed run gets. */
export type CallAnswer =
  | { kind: 'recorded'; call: RecordedCall }
  | { kind: 'stub'; stub: StubAnswer }
  | { kind: 'live' }
  | { kind: 'refused' };

/** Gives a run what a recorded run got from outside. */
export class RunReplayer implements RunScope {
  readonly #library: Library;
  readonly #settings: ReplaySettings;
  readonly #recording: Recording | null;
  readonly #calls: Set<RecordedCall>;
  readonly #memory: Set<RecordedMemory>;
  readonly #times = new Map<string, { next: number; last: number }>();
  readonly #randoms = new Map<string, number>();
  readonly #startedMs = Date.now();
  readonly #unrecorded: UnrecordedCall[] = [];
  #answered = 0;

  /** `recording`: null for a run that was not recorded. */
  constructor(recording: Recording | null, settings: ReplaySettings, library: Library) {
    this.#recording = recording;
    this.#settings = settings;
    this.#library = library;
    this.#calls = new Set(recording?.calls);
    this.#memory = new Set(recording?.memory);
  }

  get lane(): string {
    return laneOf(this.#library);
  }

  get keepsTiming(): boolean {
    return this.#settings.keepsTiming;
  }

  /** After the recorded times of a lane, the clock goes on from the last of them. */
  time(real: number): number {
    if (this.#recording === null) return real;
    const { lane } = this;
    const recorded = this.#recording.values.times[lane] ?? [];
    const state = this.#times.get(lane) ?? { next: 0, last: 0 };
    this.#times.set(lane, state);
    if (state.next < recorded.length) {
      state.last += recorded[state.next]!;
      state.next += 1;
      return state.last;
    }
    return Math.max(state.last, this.#recording.run.startedAtMs + (real - this.#startedMs));
  }

  random(real: number): number {
    const value = this.#nextRandom((one) => typeof one === 'number');
    return typeof value === 'number' ? value : real;
  }

  idBytes(real: Uint8Array): Uint8Array {
    const value = this.#nextRandom((one) => one instanceof Uint8Array && one.byteLength === real.byteLength);
    return value instanceof Uint8Array ? value : real;
  }

  #nextRandom(isWanted: (value: number | Uint8Array) => boolean): number | Uint8Array | null {
    const { lane } = this;
    const at = this.#randoms.get(lane) ?? 0;
    const value = this.#recording?.values.randoms[lane]?.[at];
    if (value === undefined || !isWanted(value)) return null;
    this.#randoms.set(lane, at + 1);
    return value;
  }

  /** `url` without secrets. The same requests get their answers in the recorded order. */
  answer(method: string, url: string, body: RequestBody): CallAnswer {
    const { lane } = this;
    const same = [...this.#calls].filter((call) => call.method === method && call.url === url);
    const equal = same.filter(({ requestHash }) => requestHash === body.hash || requestHash === '' || body.hash === '');
    const inLane = (calls: RecordedCall[]): RecordedCall | undefined =>
      calls.find((call) => call.lane === lane) ?? calls[0];
    const exact = inLane(equal);
    if (exact !== undefined) return this.#take(exact);
    const { unrecorded: policy, stubs } = this.#settings;
    const nearest = policy === 'nearest' ? inLane(same) : undefined;
    const stub = policy === 'stub' ? stubs.find((one) => one.method === method && url.startsWith(one.url)) : undefined;
    const answer =
      nearest !== undefined ? 'nearest' : stub !== undefined ? 'stub' : policy === 'live' ? 'live' : 'refused';
    this.#unrecorded.push({ method, url, lane, answer, isKnownAddress: same.length > 0 });
    if (nearest !== undefined) return this.#take(nearest);
    if (stub !== undefined) return { kind: 'stub', stub };
    return policy === 'live' ? { kind: 'live' } : { kind: 'refused' };
  }

  #take(call: RecordedCall): CallAnswer {
    this.#calls.delete(call);
    this.#answered += 1;
    return { kind: 'recorded', call };
  }

  /** Null if the read was not recorded. */
  memoryResults(operations: readonly MemoryOperation[]): MemoryResult[] | null {
    const hash = memoryHash(operations);
    const { lane } = this;
    const equal = [...this.#memory].filter((one) => one.hash === hash);
    const found = equal.find((one) => one.lane === lane) ?? equal[0];
    if (found === undefined) return null;
    this.#memory.delete(found);
    return unpack<MemoryResult[]>(Uint8Array.from(found.results));
  }

  /** Something other than an HTTP request was refused. */
  onRefused(what: string): void {
    this.#unrecorded.push({ method: '', url: what, lane: this.lane, answer: 'refused', isKnownAddress: false });
  }

  writeReport(file: string): void {
    const report: ReplayReport = {
      answered: this.#answered,
      unrecorded: this.#unrecorded,
      unused: [...this.#calls].map(({ method, url, lane }) => ({ method, url, lane })),
    };
    writeFileSync(file, JSON.stringify(report), { mode: 0o600 });
  }
}
