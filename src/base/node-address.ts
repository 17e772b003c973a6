/** Where a node of a cluster takes requests of other nodes. */
export interface NodeAddress {
  /** A name or an address, without brackets. */
  host: string;
  port: number;
}

/** As `host:port`, with brackets around an IPv6 address. */
export function formatAddress({ host, port }: NodeAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Null unless it is like `host:port`. */
export function parseAddress(text: string): NodeAddress | null {
  const found = /^(?:\[([0-9a-f:.]+)\]|([^:\s/[\]]+)):(\d{1,5})$/i.exec(text);
  if (found === null) return null;
  const port = Number(found[3]);
  return port > 65_535 ? null : { host: (found[1] ?? found[2])!, port };
}
