/** Names of this machine that no resolver of a network answers for: browsers look up `localhost` and what ends with it themselves. */
const LOOPBACK_NAME = /^(?:(?:[a-z0-9_-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/;

/** Whether a host name or address means this machine and no other. Lower case; an IPv6 address with or without brackets. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAME.test(host);
}
