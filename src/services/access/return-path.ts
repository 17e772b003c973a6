import { LIMITS } from '../../base/limits.js';

/**
 * The path within the console that a person returns to after a sign-in, without a slash at its start. Empty for
 * everything that could lead elsewhere.
 */
export function returnPath(wanted: string | null): string {
  if (wanted === null || wanted.length > LIMITS.signInPathCharsMax) return '';
  // Browsers take a backslash for a slash, and leave out control characters.
  if (!/^\/[!-[\]-~]*$/.test(wanted)) return '';
  const { pathname, search, hash } = new URL(`http://console.invalid/console${wanted}`);
  // Segments such as `..` and `%2e%2e` are resolved by now.
  return pathname.startsWith('/console/') ? `${pathname.slice('/console/'.length)}${search}${hash}` : '';
}
