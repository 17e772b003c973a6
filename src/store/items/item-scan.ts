import { filterOf, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';

/** Limits of one list of long-term memory. */
export class Scan {
  /** Every item is checked against the caller's filter. */
  readonly filtered: boolean;
  readonly #rowsMax: number;
  #rows = 0;
  #bytes = 0;

  constructor(caller: Caller) {
    this.filtered = filterOf(caller, 'store') !== null;
    this.#rowsMax = this.filtered ? LIMITS.authorizedScanRowsMax : LIMITS.scanRowsMax;
  }

  row(): void {
    if (++this.#rows > this.#rowsMax) throw this.tooMany();
  }

  value(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > LIMITS.itemScanBytesMax) throw this.tooMany();
  }

  tooMany(): Error {
    return fail('STORE_SCAN_LIMIT', { authenticated: this.filtered });
  }
}
