import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { staticFile } from '../../base/program-files.js';
import type { Headers } from '../transport/request-copy.js';
import type { Reply } from '../route.js';

/**
 * Serves the console: static files (console/, built by packaging/console.ts) that use this server's API like
 * any other client.
 */

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
};

/**
 * Content security policy: only the page's own files may run or be requested, whatever a thread's messages
 * contain. The nonce is for the few style rules that the component library sets at runtime. No script has a
 * nonce.
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** A page loads many files, so each one has only the header that browsers read for scripts, styles and fonts. */
const FILE_HEADERS: Headers = { 'x-content-type-options': 'nosniff' };
const DOCUMENT_HEADERS: Headers = {
  ...FILE_HEADERS,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};
const DOCUMENT = /\.(?:html|svg)$/;

/** Files with a content hash in their names. */
const HASHED_NAME = /-[A-Z0-9]{8}\.\w+$/;
const FILE = /\.(?:js|css|svg|txt|html|woff2)$/;

interface File {
  bytes: Buffer;
  gzip: Buffer | null;
  brotli: Buffer | null;
}

let names: ReadonlySet<string> | null = null;
const loaded = new Map<string, File>();

/**
 * Returns a file of the console, or the page itself for every path without a file ending. Null if the file does
 * not exist. `path` is the part after `/console/`.
 */
export function consoleReply(path: string, headers: Headers): Reply | null {
  if (path === 'index.html' || !(FILE.test(path) && !path.includes('/'))) return indexPage(path);
  names ??= new Set(readdirSync(staticFile('console', '.')));
  if (!names.has(path)) return null;
  const known: Headers = HASHED_NAME.test(path)
    ? { 'cache-control': 'public, max-age=31536000, immutable' }
    : { 'cache-control': 'no-cache' };
  const file = loadFile(path);
  const { coding, bytes } = chooseEncoding(file, headers['accept-encoding'] ?? '');
  return {
    status: 200,
    body: bytes,
    contentType: contentTypeOf(path),
    headers: {
      ...(DOCUMENT.test(path) ? DOCUMENT_HEADERS : FILE_HEADERS),
      ...known,
      vary: 'accept-encoding',
      ...(coding === null ? {} : { 'content-encoding': coding }),
    },
  };
}

/**
 * The page uses relative URLs, so that it also works behind a proxy with its own prefix. Its base is written as
 * steps up.
 */
function indexPage(path: string): Reply {
  const depth = path.split('/').length - 1;
  const nonce = randomBytes(16).toString('base64');
  const html = loadFile('index.html')
    .bytes.toString()
    .replace('{{base}}', depth === 0 ? './' : '../'.repeat(depth))
    .replace('{{nonce}}', nonce);
  return {
    status: 200,
    body: html,
    contentType: contentTypeOf('index.html'),
    headers: {
      ...DOCUMENT_HEADERS,
      'content-security-policy': contentSecurityPolicy(nonce),
      'cache-control': 'no-store',
    },
  };
}

function loadFile(name: string): File {
  let file = loaded.get(name);
  if (file === undefined) {
    const with_ = (ending: string): Buffer | null =>
      names?.has(name + ending) ? readFileSync(staticFile('console', name + ending)) : null;
    file = { bytes: readFileSync(staticFile('console', name)), gzip: with_('.gz'), brotli: with_('.br') };
    loaded.set(name, file);
  }
  return file;
}

function chooseEncoding({ bytes, gzip, brotli }: File, accepted: string): { coding: string | null; bytes: Buffer } {
  if (brotli !== null && isAccepted(accepted, 'br')) return { coding: 'br', bytes: brotli };
  if (gzip !== null && isAccepted(accepted, 'gzip')) return { coding: 'gzip', bytes: gzip };
  return { coding: null, bytes };
}

/** RFC 9110, 12.5.3: the coding is listed, and its weight is not 0. */
function isAccepted(accepted: string, coding: string): boolean {
  return accepted.split(',').some((one) => {
    const [name, ...weights] = one
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return name === coding && !weights.some((weight) => /^q=0(?:\.0*)?$/.test(weight));
  });
}

function contentTypeOf(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
