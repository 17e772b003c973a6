import { ParsedRequest } from '../../transport/parsed-request.js';
import type { Fields, RequestHeaders } from './frames.js';

/** A request that another node has passed on over a channel. */
export class ChannelRequest extends ParsedRequest {
  readonly isForwarded = true;
  readonly #fields: Fields;

  constructor([method, target, fields]: RequestHeaders) {
    super(method, target);
    this.#fields = fields;
  }

  forEach(callback: (name: string, value: string) => void): void {
    for (let at = 0; at < this.#fields.length; at += 2) callback(this.#fields[at]!, this.#fields[at + 1]!);
  }
}
