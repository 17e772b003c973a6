import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** An address and how many of its bits count. */
type Range = [Address, number];

/** Everything that a URL may name in brackets or by numbers, as one form: an IPv4 address inside of IPv6 is that address. */
function addressOf(text: string): Address | null {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

export function isAddress(host: string): boolean {
  return addressOf(host) !== null;
}

/** True for this machine's own addresses. */
function isLoopback(address: Address): boolean {
  return address.range() === 'loopback';
}

/**
 * True for addresses of the public internet. Private, link-local (the metadata of clouds among them), shared and reserved
 * ones are not, nor those that carry an IPv4 address in an IPv6 one, which a gateway might unwrap.
 */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  // What is not given out yet (RFC 4291, 2.4) is not known to be public.
  return address.kind() === 'ipv4' || (address.toByteArray()[0]! & 0xe0) === 0x20;
}

/** An address, or one with the length of its prefix: `10.0.0.0/8`. Null when it is neither. */
export function rangeOf(text: string): Range | null {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
  } catch {
    return null;
  }
  const address = addressOf(text);
  if (address === null) return null;
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Which addresses may be reached besides public ones. */
export interface ReachRules {
  /** This machine itself. */
  loopback: boolean;
  /** Ranges such as `10.0.0.0/8`. */
  ranges: readonly string[];
}

/** Whether a server of ours may call the address. False for what is no address. */
export function mayReach(text: string, rules: ReachRules): boolean {
  const address = addressOf(text);
  if (address === null) return false;
  if (isPublic(address) || (rules.loopback && isLoopback(address))) return true;
  return rules.ranges.some((one) => {
    const [first, bits] = rangeOf(one)!;
    return first.kind() === address.kind() && address.match(first as ipaddr.IPv4 & ipaddr.IPv6, bits);
  });
}
