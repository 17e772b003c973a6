/** Headers about one connection, which are not passed on (RFC 9110, 7.6.1). */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** `name` in lower case. */
export function isHopHeader(name: string): boolean {
  return HOP_HEADERS.has(name);
}
