import { isAddress, mayReach, type ReachRules } from '../base/addresses.js';

/** Longest host name in DNS (RFC 1035). */
const HOST_CHARS_MAX = 255;

/**
 * Addresses that webhooks may have: `webhooks.url` of langgraph.json, and what the operator allows the server to
 * reach.
 */
export interface WebhookRules extends ReachRules {
  requireHttps: boolean;
  /** Lower case. `*.example.com` allows every name below example.com. Null allows any. */
  domains: readonly string[] | null;
  /** Null allows any. */
  ports: readonly number[] | null;
  urlCharsMax: number;
  /** The project has an HTTP app (`http.app`), so that a path can be one of its routes. */
  ownPaths: boolean;
}

/** Target of a webhook: a URL, or a route of the project's own HTTP app. */
export type WebhookTarget = { kind: 'url'; url: URL } | { kind: 'path'; path: string };

/** The target, or why it is refused. Names are not resolved here: every connection checks the resolved address. */
export function webhookTarget(text: string, rules: WebhookRules): WebhookTarget | { kind: 'refused'; why: string } {
  const refused = (why: string): { kind: 'refused'; why: string } => ({ kind: 'refused', why });
  if (text.length > rules.urlCharsMax) return refused(`is longer than ${rules.urlCharsMax} characters`);
  if (!/^[a-z][a-z\d+.-]*:/i.test(text)) {
    if (!/^\/(?!\/)[\w./~%!$&'()*+,;=:@?-]*$/.test(text))
      return refused('is neither a URL, such as https://example.com/hook, nor a path, such as /hook');
    return rules.ownPaths
      ? { kind: 'path', path: text }
      : refused(
          "is a route of the project's own HTTP app, but langgraph.json has no http.app. Use a complete URL, such as https://example.com/hook",
        );
  }
  if (!URL.canParse(text)) return refused('is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused(`must begin with https:// or http://, not ${url.protocol}`);
  if (rules.requireHttps && url.protocol !== 'https:')
    return refused('must begin with https://, because webhooks.url.require_https is set in langgraph.json');
  // The parser lower-cases the host. A final dot has no meaning.
  const host = url.hostname.replace(/\.$/, '');
  if (host.length > HOST_CHARS_MAX) return refused('has a host of more than 255 characters');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (rules.ports !== null && !rules.ports.includes(port))
    return refused(`port ${port} is not one of webhooks.url.allowed_ports in langgraph.json`);
  if (rules.domains !== null && !rules.domains.some((domain) => isOf(host, domain)))
    return refused(`${host} is not one of webhooks.url.allowed_domains in langgraph.json`);
  // The parser has normalized forms such as 2130706433 and 0x7f.1.
  if (
    isAddress(host)
      ? !mayReach(host, rules)
      : !rules.loopback && /^(localhost|.*\.localhost|host\.docker\.internal)$/.test(host)
  )
    return refused(`${host} ${NOT_PUBLIC}`);
  return { kind: 'url', url };
}

export const NOT_PUBLIC = 'is not a public address. The operator of the server can allow it: see docs/webhooks.md';

/** `*.example.com` is every name below example.com, but not example.com itself. */
function isOf(host: string, domain: string): boolean {
  return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain;
}
