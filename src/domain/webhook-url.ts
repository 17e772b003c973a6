import { isAddress, mayReach, type ReachRules } from '../base/addresses.js';

/** No name in DNS is longer (RFC 1035). */
const HOST_CHARS_MAX = 255;

/** Which addresses a webhook may have: `webhooks.url` of langgraph.json, and what the operator lets the server reach. */
export interface WebhookRules extends ReachRules {
  requireHttps: boolean;
  /** Lower case; `*.example.com` is every name below it. Null: any. */
  domains: readonly string[] | null;
  /** Null: any. */
  ports: readonly number[] | null;
  urlCharsMax: number;
  /** The project has an HTTP app (`http.app`), so a path alone may be one of its routes. */
  ownPaths: boolean;
}

/** Where a webhook goes: somewhere else, or to a route of the project's own HTTP app. */
export type WebhookTarget = { kind: 'url'; url: URL } | { kind: 'path'; path: string };

/** The target, or what is wrong with it. Names are not looked up: where they lead is checked with every connection. */
export function webhookTarget(text: string, rules: WebhookRules): WebhookTarget | { kind: 'refused'; why: string } {
  const refused = (why: string): { kind: 'refused'; why: string } => ({ kind: 'refused', why });
  if (text.length > rules.urlCharsMax) return refused(`is longer than ${rules.urlCharsMax} characters`);
  if (!/^[a-z][a-z\d+.-]*:/i.test(text)) {
    if (!/^\/(?!\/)[\w./~%!$&'()*+,;=:@?-]*$/.test(text))
      return refused('is no URL, such as https://example.com/hook, and no path, such as /hook');
    return rules.ownPaths
      ? { kind: 'path', path: text }
      : refused(
          "a path without a scheme and a host is a route of the project's own HTTP app, and http.app of langgraph.json names none. Give a whole URL, such as https://example.com/hook",
        );
  }
  if (!URL.canParse(text)) return refused('is no URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused(`must begin with https:// or http://, not ${url.protocol}`);
  if (rules.requireHttps && url.protocol !== 'https:')
    return refused('must begin with https://: webhooks.url.require_https of langgraph.json says so');
  // Case is the parser's to settle, and what a name of the root ends with means nothing.
  const host = url.hostname.replace(/\.$/, '');
  if (host.length > HOST_CHARS_MAX) return refused('has a host of more than 255 characters');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (rules.ports !== null && !rules.ports.includes(port))
    return refused(`port ${port} is not one of webhooks.url.allowed_ports in langgraph.json`);
  if (rules.domains !== null && !rules.domains.some((domain) => isOf(host, domain)))
    return refused(`${host} is not one of webhooks.url.allowed_domains in langgraph.json`);
  // The parser has made plain numbers of 2130706433, 0x7f.1 and their like.
  if (
    isAddress(host)
      ? !mayReach(host, rules)
      : !rules.loopback && /^(localhost|.*\.localhost|host\.docker\.internal)$/.test(host)
  )
    return refused(`${host} ${NOT_PUBLIC}`);
  return { kind: 'url', url };
}

export const NOT_PUBLIC = 'is no public address. Whoever runs the server can allow it: docs/webhooks.md says how';

/** `*.example.com` is every name below example.com, not example.com itself. */
function isOf(host: string, domain: string): boolean {
  return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain;
}
