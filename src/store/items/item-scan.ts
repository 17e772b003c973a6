import { filterOf, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';

/** Limits of one list of long-term memory. */
export class ItemScan {
  /** Every item is checked against the caller's filter. */
  readonly isFiltered: boolean;
  readonly #rowsMax: number;
  #rows = 0;
  #bytes = 0;

  constructor(caller: Caller) {
    this.isFiltered = filterOf(caller, 'store') !== null;
    this.#rowsMax = this.isFiltered ? LIMITS.authorizedScanRowsMax : LIMITS.scanRowsMax;
  }

  countRow(): void {
    if (++this.#rows > this.#rowsMax) throw this.limitError();
  }

  countValue(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > LIMITS.itemScanBytesMax) throw this.limitError();
  }

  limitError(): Error {
    return fail('STORE_SCAN_LIMIT', { authenticated: this.isFiltered });
  }
}
