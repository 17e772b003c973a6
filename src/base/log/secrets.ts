/**
 * Text that looks like a secret, in a message of a library or graph or in a URL. The first group of each pattern
 * is kept, so that a reader sees what kind of secret was removed.
 */
const PATTERNS = [
  // Keys of this server, webhook secrets, and common forms of other keys.
  /\b(tm_|whsec_|sk-|lsv2_|gh[opsu]_|xox[abp]-)[A-Za-z0-9_\-+/=]{6,}/,
  /\b((?:bearer|basic) )[A-Za-z0-9._~+/=-]{4,}/,
  // A header, up to its end.
  /\b((?:authorization|cookie)\\?["']?\s*[=:]\s*\\?["']?)[^"'\\\n]+/,
  // In a query, in a form, or as `name: value`.
  /\b((?:x-api-key|api[_-]?key|access[_-]?token|refresh[_-]?token|id[_-]?token|token|secret|password|passwd|signature)\\?["']?\s*[=:]\s*\\?["']?)[^\s"'\\&,;}]{3,}/,
  // Nothing but the token in a feedback URL is needed to use it.
  /(\/feedback\/tokens\/)[^\s"'\\?]+/,
  // The same for a link to an attachment.
  /(\/attachments\/)[^\s"'\\?]+/,
  // The same holds for share links, in the API and in the console.
  /(\/public\/)[0-9a-f-]{32,}/,
  // User and password of a URL.
  /(:\/\/)[^\s"'\\/@]+(?=@)/,
];

const SECRETS = new RegExp(PATTERNS.map(({ source }) => source).join('|'), 'gi');

const CENSORED = '[redacted]';

/** The line with every secret replaced by `[redacted]`. */
export function withoutSecrets(line: string): string {
  return line.replace(
    SECRETS,
    (_all, ...groups: (string | undefined)[]) =>
      `${groups.slice(0, PATTERNS.length).find((group) => group !== undefined) ?? ''}${CENSORED}`,
  );
}
