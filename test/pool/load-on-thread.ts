/** Entry of the threads of worker-pool.test.ts. Its imports take a while. */
import { Reader } from '../../src/store/reader.js';

export default function load(): string {
  return typeof Reader;
}
