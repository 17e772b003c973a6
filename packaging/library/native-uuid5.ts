import { hash } from 'node:crypto';

/** What LangChain exports: the id as text, or in the bytes that are given. */
interface Uuid5 {
  (name: unknown, namespace: unknown, bytes?: Uint8Array, offset?: number): unknown;
  DNS: string;
  URL: string;
}

const NAMESPACE_BYTES = 16;
/** First digit of the fourth group, by its two lowest bits. */
const VARIANTS = '89ab';

/** Makes the same ids with Node's SHA-1. Leaves all but text in a namespace of bytes to the original. */
export function nativeUuid5(original: Uuid5): Uuid5 {
  function uuid5(name: unknown, namespace: unknown, bytes?: Uint8Array, offset?: number): unknown {
    if (typeof name !== 'string' || !name.isWellFormed()) return original(name, namespace, bytes, offset);
    if (!(namespace instanceof Uint8Array) || namespace.length !== NAMESPACE_BYTES || bytes !== undefined)
      return original(name, namespace, bytes, offset);
    const named = Buffer.allocUnsafe(NAMESPACE_BYTES + Buffer.byteLength(name));
    named.set(namespace);
    named.write(name, NAMESPACE_BYTES);
    const digest = hash('sha1', named);
    const variant = VARIANTS[Number.parseInt(digest[16]!, 16) & 3]!;
    const [low, mid, high] = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(13, 16)];
    return `${low}-${mid}-5${high}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  }
  return Object.assign(uuid5, { DNS: original.DNS, URL: original.URL });
}
