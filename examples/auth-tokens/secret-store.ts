/** Replaces a secret store: a service that returns secrets by name to authorized callers. */
const SECRETS: Record<string, string> = { 'mail/ada': 'key-of-adas-mailbox', 'mail/bob': 'key-of-bobs-mailbox' };

export async function secretOf(name: string): Promise<string> {
  const secret = SECRETS[name];
  if (secret === undefined) throw new Error(`There is no secret ${name}.`);
  return secret;
}
