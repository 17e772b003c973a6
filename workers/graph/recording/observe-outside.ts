import { observeFetch } from './observe-fetch.js';
import { observeHttp } from './observe-http.js';
import { observeUndici } from './observe-undici.js';
import { interceptPlatformValues } from './platform-values.js';

/** Lets runs be recorded with what they get from outside. Call it before user code is loaded. */
export function observeOutside(): void {
  interceptPlatformValues();
  observeUndici();
  observeFetch();
  observeHttp();
}
