import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';

/** After which time an incomplete body counts as slow, and after which time a paused one gets OVERLOADED. */
export interface BodyTimes {
  slowMs: number;
  waitMs: number;
}

/**
 * Limits the bytes of bodies that are in memory for the evaluation thread, and so the memory that uploads need. The
 * leading body is the oldest one. The others continue while they have at most `uploadsWaitingBytes` together, counted
 * with what they declare; above it they are paused. A body that arrives slowly loses the lead, so that it does not stop
 * the others. One that is paused for long gets OVERLOADED.
 *
 * A client is paused at its first bytes. Later that has little effect on a fast client, because uWebSockets.js reads
 * for as long as the socket is full.
 */
export class BodyMemory {
  /** In the order of their requests. */
  readonly #bodies = new Set<BodyReservation>();
  readonly #times: BodyTimes;

  constructor(times: BodyTimes = { slowMs: LIMITS.uploadSlowMs, waitMs: LIMITS.uploadWaitMs }) {
    this.#times = times;
  }

  /** Bytes of all bodies. */
  get bytes(): number {
    let bytes = 0;
    for (const body of this.#bodies) bytes += body.bytes;
    return bytes;
  }

  /**
   * `length`: the bytes that the client declares, or null when it does not. Call `release` on the reservation when the
   * body is no longer needed.
   */
  open(length: number | null): BodyReservation {
    const body = new BodyReservation(this, length ?? LIMITS.uploadsWaitingBytes, this.#times);
    this.#bodies.add(body);
    return body;
  }

  /** True if the body may receive more now. */
  admits(body: BodyReservation): boolean {
    const leader = this.#leader;
    if (body === leader) return true;
    let bytes = body.declaredBytes;
    for (const other of this.#bodies) if (other !== leader && other !== body) bytes += other.expectedBytes;
    return bytes <= LIMITS.uploadsWaitingBytes;
  }

  /** Throws OVERLOADED. A paused client may still send what its socket has buffered. */
  checkFits(bytes: number): void {
    if (this.bytes + bytes > LIMITS.uploadsForwardedBytesMax)
      throw fail('OVERLOADED', { what: 'too many uploads are in progress' });
  }

  /** Lets bodies continue. Only a reservation calls this. */
  resumeAdmitted(): void {
    for (const body of this.#bodies) if (body.isPaused && this.admits(body)) body.resume();
  }

  /** Only a reservation calls this. */
  remove(body: BodyReservation): void {
    if (this.#bodies.delete(body)) this.resumeAdmitted();
  }

  get #leader(): BodyReservation | undefined {
    for (const body of this.#bodies) if (!body.isSlow) return body;
    return this.#bodies.values().next().value;
  }
}

/** Memory of one body. */
export class BodyReservation {
  bytes = 0;
  /** It has been received for a while without a pause, and is not complete. */
  isSlow = false;
  readonly #memory: BodyMemory;
  readonly #length: number;
  readonly #times: BodyTimes;
  #hasBegun = false;
  #hasEnded = false;
  #hasWaitedTooLong = false;
  #resume: (() => void) | null = null;
  /** Until the body counts as slow, or has waited too long. */
  #timer: NodeJS.Timeout | null = null;

  constructor(memory: BodyMemory, length: number, times: BodyTimes) {
    this.#memory = memory;
    this.#length = length;
    this.#times = times;
  }

  get isPaused(): boolean {
    return this.#resume !== null;
  }

  /** Bytes at the end, as far as they are known. */
  get declaredBytes(): number {
    return Math.max(this.#length, this.bytes);
  }

  /** Bytes that it has, or will have soon. */
  get expectedBytes(): number {
    return this.#hasEnded || this.isPaused || this.isSlow ? this.bytes : this.declaredBytes;
  }

  /** Counts bytes that have arrived. Throws OVERLOADED. */
  add(bytes: number): void {
    if (this.#hasWaitedTooLong) throw fail('OVERLOADED', { what: 'other uploads have to be stored first' });
    this.#memory.checkFits(bytes);
    this.bytes += bytes;
    if (!this.#hasBegun) this.#receive();
  }

  /** Returns true if the client has to wait. Then it calls `resume` later. */
  mustPause(resume: () => void): boolean {
    if (this.#memory.admits(this)) return false;
    this.#resume = resume;
    this.isSlow = false;
    this.#setTimer(this.#times.waitMs, () => {
      this.#hasWaitedTooLong = true;
      this.resume();
    });
    return true;
  }

  /** Lets the client continue. */
  resume(): void {
    const resume = this.#resume;
    this.#resume = null;
    this.#receive();
    resume?.();
  }

  /** The body is complete. */
  end(): void {
    this.#hasEnded = true;
    this.isSlow = false;
    this.#setTimer(0, null);
  }

  release(): void {
    this.end();
    this.#memory.remove(this);
    const resume = this.#resume;
    this.#resume = null;
    resume?.();
  }

  #receive(): void {
    this.#hasBegun = true;
    this.#setTimer(this.#times.slowMs, () => {
      this.isSlow = true;
      this.#memory.resumeAdmitted();
    });
  }

  #setTimer(ms: number, callback: (() => void) | null): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = callback === null ? null : setTimeout(callback, ms).unref();
  }
}
