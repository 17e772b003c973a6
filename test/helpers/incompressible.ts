import { randomBytes } from 'node:crypto';

/** Text that takes `bytes` bytes on disk or a little more, compressed as values are. It has a third more characters. */
export function incompressible(bytes: number): string {
  return randomBytes(bytes).toString('base64');
}
