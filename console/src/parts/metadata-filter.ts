/** What a person writes to search by metadata: `team=search`, several with spaces between them, or JSON. `value` is what the server takes. */
export function metadataFilter(text: string): { value: string | null; error: string | null } {
  const written = text.trim();
  if (written === '') return { value: null, error: null };
  if (written.startsWith('{')) {
    try {
      JSON.parse(written);
      return { value: written, error: null };
    } catch {
      return { value: null, error: 'This is no JSON yet.' };
    }
  }
  const found: Record<string, unknown> = {};
  for (const [, name, quoted, plain] of written.matchAll(/([^\s=]+)=(?:"([^"]*)"|(\S*))/g)) found[name!] = quoted ?? valueOf(plain!);
  return Object.keys(found).length === 0 ? { value: null, error: 'Write name=value.' } : { value: JSON.stringify(found), error: null };
}

/** `3` and `true` are what they look like; in quotes they are texts. */
function valueOf(plain: string): unknown {
  return /^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(plain) ? JSON.parse(plain) : plain;
}
