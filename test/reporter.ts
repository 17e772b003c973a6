import { Transform, type TransformCallback } from 'node:stream';

/**
 * Prints what fails, and the totals. A run has tens of thousands of assertions: tap's own reporters draw their figures
 * again after each of them, which costs 15 s of CPU.
 */

/** Lines of TAP that are not printed: assertions that pass, plans, the frame and the times of subtests. */
const QUIET = /^\s*(?:ok\b|\d+\.\.\d+|# Subtest|TAP version|\}$|$)|^\s+# time=/;
/** The details of a result: between these lines, deeper than its `ok` or `not ok`. */
const DETAILS_BEGIN = /^\s+---$/;
const DETAILS_END = /^\s+\.\.\.$/;

export default class FailureReporter extends Transform {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #showsDetails = false;
  #inDetails = false;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#rest = lines.pop()!;
    done(null, this.#filter(lines));
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#filter([this.#rest]));
  }

  #filter(lines: readonly string[]): string {
    return lines
      .filter((line) => this.#isShown(line))
      .map((line) => `${line}\n`)
      .join('');
  }

  #isShown(line: string): boolean {
    if (this.#inDetails || DETAILS_BEGIN.test(line)) {
      this.#inDetails = !DETAILS_END.test(line);
      return this.#showsDetails;
    }
    const isShown = !QUIET.test(line);
    this.#showsDetails = isShown;
    return isShown;
  }
}
