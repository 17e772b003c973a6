import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fail } from '../base/errors.js';
import { isObject } from '../base/json/json.js';
import { DEFAULT_CORS, METHODS, type CorsOptions } from '../http/access/cors.js';
import type { TransportChoice } from '../http/transport/create-app.js';
import { TRANSPORTS, type TlsFiles } from '../http/transport/http-app.js';

type Problem = (text: string) => Error;

/** A file named by a flag or, without the flag, by a variable. `name` is how messages refer to it. */
interface NamedFile {
  name: string;
  file: string;
}

/** THREADMILL_TRANSPORT. Throws CONFIG_INVALID. */
export function readTransport(env: NodeJS.ProcessEnv): TransportChoice {
  const given = (env['THREADMILL_TRANSPORT'] ?? '') || 'auto';
  const choice = (['auto', ...TRANSPORTS] as const).find((one) => one === given);
  if (choice === undefined)
    throw configError('THREADMILL_TRANSPORT', `must be auto, ${TRANSPORTS.join(' or ')}, not "${given}".`);
  return choice;
}

/**
 * Checks the files of --tls-cert and --tls-key, because uWebSockets.js rejects bad ones without giving a
 * reason. Throws CONFIG_INVALID, which names the flag.
 */
export function readTls(flags: { tlsCert?: string; tlsKey?: string }, env: NodeJS.ProcessEnv): TlsFiles | null {
  const cert = namedFile('--tls-cert', flags.tlsCert, 'THREADMILL_TLS_CERT', env['THREADMILL_TLS_CERT']);
  const key = namedFile('--tls-key', flags.tlsKey, 'THREADMILL_TLS_KEY', env['THREADMILL_TLS_KEY']);
  if (cert === null && key === null) return null;
  if (cert === null)
    throw configError('--tls-cert', `is missing: ${key!.name} is given, and TLS needs a certificate and its key.`);
  if (key === null)
    throw configError('--tls-key', `is missing: ${cert.name} is given, and TLS needs a certificate and its key.`);

  const certificate = readCertificate(cert);
  if (!certificate.checkPrivateKey(readPrivateKey(key))) {
    throw configError(
      key.name,
      `the key in ${key.file} does not belong to the first certificate in ${cert.file} (${cert.name}). Put the server's own certificate first in the file, followed by the certificates of its issuers.`,
    );
  }
  return { certFile: cert.file, keyFile: key.file };
}

function namedFile(
  flag: string,
  value: string | undefined,
  variable: string,
  fallback: string | undefined,
): NamedFile | null {
  const path = value ?? fallback ?? '';
  if (value === '') throw configError(flag, 'must name a file.');
  if (path === '') return null;
  return { name: value === undefined ? `${variable} (${flag})` : flag, file: resolve(path) };
}

function readCertificate({ name, file }: NamedFile): X509Certificate {
  const text = readPem(name, file);
  // Node would read DER here, but uWebSockets.js rejects it.
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw configError(name, `${file} has no PEM certificate ("-----BEGIN CERTIFICATE-----").`);
  try {
    return new X509Certificate(text);
  } catch (error) {
    throw configError(name, `the certificate in ${file} cannot be read: ${(error as Error).message}`);
  }
}

function readPrivateKey({ name, file }: NamedFile): KeyObject {
  const text = readPem(name, file);
  if (!/-----BEGIN (\w+ )*PRIVATE KEY-----/.test(text))
    throw configError(name, `${file} has no PEM private key ("-----BEGIN PRIVATE KEY-----").`);
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text))
    throw configError(
      name,
      `the key in ${file} has a passphrase. Give it without one, in a file that only the server's user can read.`,
    );
  try {
    return createPrivateKey({ key: text, format: 'pem' });
  } catch (error) {
    throw configError(name, `the key in ${file} cannot be read: ${(error as Error).message}`);
  }
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    throw configError(
      name,
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? `the file ${file} does not exist.`
        : `${file} cannot be read: ${(error as Error).message}`,
    );
  }
}

function configError(name: string, problem: string): Error {
  return fail('CONFIG_INVALID', { file: name, problem });
}

/** RFC 9110, 5.6.2: allowed characters of a method or a header name. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
/** RFC 6454, 6.2: a scheme, a host and optionally a port. Applications may use schemes of their own. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/*?#@]+$/;

/** Reads `http.cors` of langgraph.json; null when it is absent. `problem` makes an error that names the file. */
export function readCors(http: unknown, problem: Problem): CorsOptions | null {
  if (http === undefined || http === null) return null;
  if (!isObject(http)) throw problem('http: must be an object.');
  const { cors } = http;
  if (cors === undefined || cors === null) return null;
  if (!isObject(cors)) throw problem('http.cors: must be an object.');

  const at =
    (key: string) =>
    (text: string): Error =>
      problem(`http.cors.${key}: ${text}`);
  const texts = (key: string): string[] | null => stringList(cors[key], at(key));
  const tokens = (key: string): string[] | null => {
    const list = texts(key);
    const odd = list?.find((name) => !TOKEN.test(name));
    if (odd !== undefined) throw at(key)(`${JSON.stringify(odd)} is not a valid name.`);
    return list;
  };

  const allowOriginRegex = parseWholeMatch(cors['allow_origin_regex'], at('allow_origin_regex'));
  // The expression alone selects the origins. A default of all origins would make it pointless.
  const allowOrigins =
    texts('allow_origins')?.map((text) => parseOrigin(text, at('allow_origins'))) ??
    (allowOriginRegex === null ? null : []);
  const allowCredentials = cors['allow_credentials'] ?? false;
  if (typeof allowCredentials !== 'boolean') throw at('allow_credentials')('must be true or false.');
  if (allowCredentials && (allowOrigins?.includes('*') ?? true)) {
    throw at('allow_credentials')(
      'must not be true while every origin is allowed, because any page could act on behalf of its visitors. List the origins in allow_origins, or match them with allow_origin_regex.',
    );
  }
  const methods = tokens('allow_methods')?.map((name) => name.toUpperCase()) ?? ['*'];
  const headers = tokens('allow_headers');
  const maxAge = cors['max_age'] ?? DEFAULT_CORS.maxAgeSeconds;
  if (typeof maxAge !== 'number' || !Number.isSafeInteger(maxAge) || maxAge < 0)
    throw at('max_age')('must be a whole number of seconds, 0 or more.');
  return {
    allowOrigins,
    allowOriginRegex,
    allowMethods: methods.includes('*') ? METHODS : methods,
    allowHeaders: headers === null || headers.includes('*') ? null : headers,
    allowCredentials,
    exposeHeaders: tokens('expose_headers') ?? [],
    maxAgeSeconds: maxAge,
  };
}

/** The setting without `http.cors` in langgraph.json: CORS_ALLOW_ORIGINS, or else the default. */
export function readCorsFromEnv(env: NodeJS.ProcessEnv): CorsOptions {
  const text = env['CORS_ALLOW_ORIGINS'] ?? '';
  const origins = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (origins.length === 0) return DEFAULT_CORS;
  return {
    ...DEFAULT_CORS,
    allowOrigins: origins.map((origin) => parseOrigin(origin, (problem) => configError('CORS_ALLOW_ORIGINS', problem))),
  };
}

/**
 * A DNS name, optionally with a leading `*.` for all names below it, or an address. IPv6 addresses are in
 * brackets.
 */
const HOST_NAME =
  /^(?:(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*|\[[0-9a-f:.]+\]|\*)$/;

/** Reads `http.allowed_hosts` of langgraph.json. `problem` makes an error that names the file. */
export function readAllowedHosts(http: unknown, problem: Problem): string[] {
  const at = (text: string): Error => problem(`http.allowed_hosts: ${text}`);
  return (stringList(isObject(http) ? http['allowed_hosts'] : null, at) ?? []).map((name) => parseHost(name, at));
}

/** Reads --allowed-hosts, or else THREADMILL_ALLOWED_HOSTS; null when neither is set. */
export function readAllowedHostsOption(flag: string | undefined, env: NodeJS.ProcessEnv): string[] | null {
  const [name, text] =
    flag === undefined
      ? ['THREADMILL_ALLOWED_HOSTS', env['THREADMILL_ALLOWED_HOSTS'] ?? '']
      : ['--allowed-hosts', flag];
  const hosts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return hosts.length === 0 ? null : hosts.map((host) => parseHost(host, (problem) => configError(name, problem)));
}

/** Reads `http.public_shares` of langgraph.json. */
export function readPublicShares(http: unknown, problem: Problem): boolean {
  const value = isObject(http) ? (http['public_shares'] ?? false) : false;
  if (typeof value !== 'boolean') throw problem('http.public_shares: must be true or false.');
  return value;
}

/** Reads THREADMILL_PUBLIC_SHARES; null when it is unset. */
export function readPublicSharesFromEnv(env: NodeJS.ProcessEnv): boolean | null {
  const text = env['THREADMILL_PUBLIC_SHARES'] ?? '';
  if (text === '') return null;
  if (text !== 'true' && text !== 'false')
    throw configError('THREADMILL_PUBLIC_SHARES', `must be true or false; got ${JSON.stringify(text)}.`);
  return text === 'true';
}

function parseHost(text: string, problem: Problem): string {
  const name = text.toLowerCase().replace(/\.$/, '');
  if (!HOST_NAME.test(name))
    throw problem(
      `${JSON.stringify(text)} is not a host name. A host name has no scheme and no port, such as agents.example.com. *.example.com matches all names below example.com, and * matches every name.`,
    );
  return name;
}

function stringList(value: unknown, problem: Problem): string[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw problem('must be a list of strings.');
  return value;
}

/** Normalizes an origin as browsers write it: lower case, without a trailing slash. */
function parseOrigin(text: string, problem: Problem): string {
  const origin = text.toLowerCase().replace(/\/$/, '');
  if (origin !== '*' && origin !== 'null' && origin !== 'loopback' && !ORIGIN.test(origin)) {
    throw problem(
      `${JSON.stringify(text)} is not an origin. An origin is a scheme, a host and, unless it is the default, a port, such as https://app.example.com. "loopback" allows all origins of this machine. Use http.cors.allow_origin_regex to match many origins.`,
    );
  }
  return origin;
}

function parseWholeMatch(value: unknown, problem: Problem): RegExp | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value === '') throw problem('must be a regular expression as text.');
  try {
    // Compile it alone first: `a)|(b` is only valid inside the group that makes it match the whole text.
    const { source } = new RegExp(value);
    return new RegExp(`^(?:${source})$`);
  } catch (error) {
    throw problem(`is not a valid regular expression: ${(error as Error).message}`);
  }
}
