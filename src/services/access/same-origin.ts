type Headers = Readonly<Record<string, string>>;

/**
 * Returns true if a page of the server's own origin, or the person at the address bar, sent a request. Browsers add the
 * cookies of a session to requests of other pages too, on other ports of the same host for example, and only these
 * headers tell them apart. Requests that change something need a proof; others may come from a browser that sends
 * neither header.
 */
export function isSameOrigin(method: string, headers: Headers, ownOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) return origin === ownOrigin;
  const reads = /^(?:get|head)$/i.test(method);
  if (site === undefined) return reads;
  return site === 'same-origin' || (reads && site === 'none');
}
