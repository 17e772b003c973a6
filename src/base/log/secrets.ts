/**
 * What looks like a secret wherever it stands: in a text that a library or a graph wrote, or in an address. The first group is
 * kept, so that a reader sees what was there.
 */
const SECRETS = new RegExp(
  [
    // Keys of this server, secrets of webhooks, and the forms that most others have.
    /\b(tm_|whsec_|sk-|lsv2_|gh[opsu]_|xox[abp]-)[A-Za-z0-9_\-+/=]{6,}/,
    /\b((?:bearer|basic) )[A-Za-z0-9._~+/=-]{4,}/,
    // A header, to its end.
    /\b((?:authorization|cookie)\\?["']?\s*[=:]\s*\\?["']?)[^"'\\\n]+/,
    // In a query, in a form, or as `name: value`.
    /\b((?:x-api-key|api[_-]?key|access[_-]?token|refresh[_-]?token|id[_-]?token|token|secret|password|passwd|signature)\\?["']?\s*[=:]\s*\\?["']?)[^\s"'\\&,;}]{3,}/,
    // What stands in an address for feedback is all that whoever uses it must have.
    /(\/feedback\/tokens\/)[^\s"'\\?]+/,
    // The user's part of an address.
    /(:\/\/)[^\s"'\\/@]+(?=@)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

const CENSORED = '[redacted]';

/** The line without them. */
export function withoutSecrets(line: string): string {
  return line.replace(
    SECRETS,
    (_all, ...groups: (string | undefined)[]) =>
      `${groups.slice(0, 6).find((group) => group !== undefined) ?? ''}${CENSORED}`,
  );
}
