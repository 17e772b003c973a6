import { createRequire } from 'node:module';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log.js';
import type { FromGate, GateAnswer, GateAsk, GateReport, GateTask, GateWorkerData } from '../wire/gate.js';
import type { Vitals } from '../wire/vitals.js';
import { Beat, Watchdog } from './watchdog.js';

/** What is asked of a gate, and who waits for it. */
interface Held {
  ask: GateAsk;
  text: string;
  resolve: (answer: GateAnswer) => void;
  reject: (error: Error) => void;
  askedAtMs: number;
  tries: number;
}

interface Gate {
  readonly piscina: Piscina<GateTask, void>;
  readonly port: MessagePort;
  readonly beat: Beat;
  readonly turn: Int32Array;
  readonly held: Map<number, Held>;
  ready: boolean;
  lost: boolean;
  readonly loaded: Promise<GateReport>;
}

/** One gate lost with it may be chance; a second one says that it was this ask. */
const TRIES_MAX = 2;

/**
 * Two threads that run the developer's handlers. A gate that stands still is ended; what it held is asked again at the other
 * one, except the ask whose handler it was in. A handler that never answers costs its own request.
 */
export class GatePool {
  #data: GateWorkerData;
  readonly #log: Logger;
  #gates: Gate[];
  readonly #waiting: Held[] = [];
  readonly #watchdog: Watchdog<Gate>;
  #serial = 0;
  #closed = false;

  constructor(data: GateWorkerData, log: Logger) {
    this.#data = data;
    this.#log = log;
    this.#gates = Array.from({ length: LIMITS.gates }, () => this.#open(data));
    this.#watchdog = new Watchdog({
      workers: () => this.#gates,
      watchdogMs: LIMITS.gateSilentMs,
      end: (gate, silentForMs) => this.#lose(gate, `it stood still for ${Math.round(silentForMs)} ms`),
      tick: () => this.#tick(),
    });
  }

  /** Asks that have no answer yet. */
  get asks(): number {
    return this.#gates.reduce((sum, { held }) => sum + held.size, this.#waiting.length);
  }

  get vitals(): Vitals[] {
    return this.#gates.map(({ beat }) => beat.vitals);
  }

  /** Resolves when every gate has the handlers; the first problem, if there is one. */
  async load(): Promise<GateReport> {
    return firstProblem(this.#gates);
  }

  /** Loads other handlers: `use` takes them for what is asked from now on, `drop` forgets them. */
  async prepare(data: GateWorkerData): Promise<{ report: GateReport; use(): Promise<void>; drop(): Promise<void> }> {
    const next = Array.from({ length: LIMITS.gates }, () => this.#open(data));
    const end = async (gates: readonly Gate[]): Promise<void> => {
      for (const gate of gates) {
        // What it still holds is asked again: the answer of handlers that were replaced counts no more.
        gate.lost = true;
        this.#askAgain([...gate.held.values()]);
        await close(gate);
      }
    };
    return {
      report: await firstProblem(next),
      use: async () => {
        const before = this.#gates;
        this.#gates = next;
        this.#data = data;
        await end(before);
      },
      drop: () => end(next),
    };
  }

  /** Throws OVERLOADED, AUTH_FAILED (the handler ended its gate), AUTH_SILENT (it did not answer in time). */
  ask(wanted: Omit<GateAsk, 'serial'>): Promise<GateAnswer> {
    if (this.asks >= LIMITS.gateAsksMax) return Promise.reject(fail('OVERLOADED', { what: 'too many requests wait for the auth handler' }));
    this.#serial = (this.#serial % 0x7fff_ffff) + 1;
    const ask: GateAsk = { serial: this.#serial, ...wanted };
    return new Promise((resolve, reject) => {
      this.#place({ ask, text: JSON.stringify(ask), resolve, reject, askedAtMs: performance.now(), tries: 0 });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watchdog.close();
    for (const gate of this.#gates) for (const { reject } of gate.held.values()) reject(fail('SHUTTING_DOWN', {}));
    for (const { reject } of this.#waiting) reject(fail('SHUTTING_DOWN', {}));
    await Promise.all(this.#gates.map(close));
  }

  #open(data: GateWorkerData): Gate {
    const { port1, port2 } = new MessageChannel();
    const beat = new Beat();
    const turn = new SharedArrayBuffer(4);
    const piscina = new Piscina<GateTask, void>({
      filename: createRequire(import.meta.url).resolve('../../workers/gate/serve.js'),
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Infinity,
      // Synchronous atomics would park the thread, which answers by its port.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: LIMITS.gateHeapMb },
      env: { ...process.env, ...data.env } as Record<string, string>,
      workerData: data,
    });
    let report!: (one: GateReport) => void;
    const gate: Gate = { piscina, port: port1, beat, turn: new Int32Array(turn), held: new Map(), ready: false, lost: false, loaded: new Promise((resolve) => { report = resolve; }) };
    port1.on('message', (message: FromGate) => {
      if ('report' in message) {
        gate.ready = message.report.ok;
        report(message.report);
        if (gate.ready) this.#serveWaiting();
        else if (!message.report.ok) this.#lose(gate, message.report.reason);
      } else for (const text of message.answers) this.#answered(gate, JSON.parse(text) as GateAnswer);
    });
    piscina.on('error', (error: Error) => this.#lose(gate, error.message));
    piscina.run({ port: port2, beat: beat.shared, turn }, { transferList: [port2] }).then(
      () => undefined,
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        report({ ok: false, reason, stack: error instanceof Error ? error.stack ?? '' : '' });
        this.#lose(gate, reason);
      },
    );
    return gate;
  }

  #answered(gate: Gate, answer: GateAnswer): void {
    const held = gate.held.get(answer.serial);
    gate.held.delete(answer.serial);
    held?.resolve(answer);
  }

  /** To the gate with the fewest; while none can take it, it waits. */
  #place(held: Held): void {
    let best: Gate | null = null;
    for (const gate of this.#gates) {
      if (!gate.ready || gate.lost || gate.beat.silent) continue;
      if (best === null || gate.held.size < best.held.size) best = gate;
    }
    if (best === null) {
      this.#waiting.push(held);
      return;
    }
    held.tries += 1;
    best.held.set(held.ask.serial, held);
    best.port.postMessage(held.text);
  }

  #serveWaiting(): void {
    for (const held of this.#waiting.splice(0)) this.#place(held);
  }

  #askAgain(all: readonly Held[]): void {
    for (const held of all) {
      if (held.tries < TRIES_MAX) this.#place(held);
      else held.reject(fail('AUTH_FAILED', { where: 'its gate was lost twice' }));
    }
  }

  #lose(gate: Gate, reason: string): void {
    if (gate.lost || this.#closed) return;
    gate.lost = true;
    const culprit = gate.held.get(Atomics.load(gate.turn, 0));
    this.#log.error({ reason, requests: gate.held.size, during: culprit === undefined ? undefined : `${culprit.ask.request.method} ${culprit.ask.request.url.split('?', 1)[0]!}` }, 'the auth handler lost its thread');
    const others = [...gate.held.values()].filter((held) => held !== culprit);
    gate.held.clear();
    culprit?.reject(fail('AUTH_FAILED', { where: 'it did not return' }));
    close(gate).catch(() => undefined);
    if (gate.ready) this.#replace(gate);
    // What cannot load would be tried without end.
    else setTimeout(() => this.#replace(gate), LIMITS.workerReopenMs).unref();
    this.#askAgain(others);
  }

  #replace(gate: Gate): void {
    const at = this.#gates.indexOf(gate);
    if (at !== -1 && !this.#closed) this.#gates[at] = this.#open(this.#data);
  }

  #tick(): void {
    const lateMs = performance.now() - LIMITS.gateAskMs;
    const refuse = (held: Held): void => held.reject(fail('AUTH_SILENT', { waitedMs: LIMITS.gateAskMs }));
    for (const gate of this.#gates) {
      for (const [serial, held] of gate.held) {
        if (held.askedAtMs > lateMs) continue;
        gate.held.delete(serial);
        refuse(held);
      }
    }
    while (this.#waiting.length > 0 && this.#waiting[0]!.askedAtMs <= lateMs) refuse(this.#waiting.shift()!);
    this.#serveWaiting();
  }
}

async function firstProblem(gates: readonly Gate[]): Promise<GateReport> {
  const reports = await Promise.all(gates.map(({ loaded }) => loaded));
  return reports.find(({ ok }) => !ok) ?? { ok: true };
}

async function close(gate: Gate): Promise<void> {
  gate.port.close();
  await gate.piscina.destroy();
}
