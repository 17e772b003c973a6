/** RFC 9110, 5.6.2 and 5.5. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that the server sets on a delivery: those that describe it, and those that frame the message. */
const RESERVED_HEADERS =
  /^(webhook-.*|content-type|content-length|content-encoding|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect)$/;

export function isHeaderName(name: string): boolean {
  return TOKEN.test(name);
}

export function isReservedHeader(name: string): boolean {
  return RESERVED_HEADERS.test(name.toLowerCase());
}

export function isHeaderValue(text: string): boolean {
  return HEADER_VALUE.test(text);
}
