import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** An address and the length of its network prefix in bits. */
type Range = [Address, number];

/**
 * Parses an address in a URL, with or without brackets. An IPv4 address inside an IPv6 one becomes the IPv4
 * address.
 */
function parseAddress(text: string): Address | null {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

/** An address in its shortest form; text that is none stays as it is. */
export function normalizeAddress(text: string): string {
  return parseAddress(text)?.toString() ?? text;
}

export function isAddress(host: string): boolean {
  return parseAddress(host) !== null;
}

/** True for this machine's own addresses. */
function isLoopback(address: Address): boolean {
  return address.range() === 'loopback';
}

/**
 * True for addresses of the public internet. Private, link-local (including cloud metadata), shared and reserved
 * addresses are not public. Nor are IPv6 addresses that embed an IPv4 address, which a gateway might unwrap.
 */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  // Ranges that are not assigned yet (RFC 4291, 2.4) are not known to be public.
  return address.kind() === 'ipv4' || (address.toByteArray()[0]! & 0xe0) === 0x20;
}

/** An address, or a range such as `10.0.0.0/8`. Null when the text is neither. */
export function parseRange(text: string): Range | null {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
  } catch {
    return null;
  }
  const address = parseAddress(text);
  if (address === null) return null;
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Addresses that may be reached besides public ones. */
export interface ReachRules {
  /** This machine. */
  loopback: boolean;
  /** Ranges such as `10.0.0.0/8`. */
  ranges: readonly string[];
}

/** True if the server may connect to the address. False for a text that is not an address. */
export function mayReach(text: string, rules: ReachRules): boolean {
  const address = parseAddress(text);
  if (address === null) return false;
  if (isPublic(address) || (rules.loopback && isLoopback(address))) return true;
  return rules.ranges.some((one) => {
    const [first, bits] = parseRange(one)!;
    return first.kind() === address.kind() && address.match(first as ipaddr.IPv4 & ipaddr.IPv6, bits);
  });
}
