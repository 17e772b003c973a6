/**
 * Names of this machine that no network resolver is asked for: browsers resolve `localhost` and its subdomains
 * themselves.
 */
const LOOPBACK_NAME = /^(?:(?:[a-z0-9_-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/;

/** True if a lower-case host name or address is this machine. IPv6 addresses may have brackets. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAME.test(host);
}
