import { formatBytes } from '../components/format.js';

/** Types that the browser names, and the kind of content block that they become. */
const KIND_OF_TYPE: readonly [RegExp, 'image' | 'file' | 'audio' | 'text-plain'][] = [
  [/^image\/(?:png|jpeg|gif|webp)$/, 'image'],
  [/^application\/pdf$/, 'file'],
  [/^audio\/(?:mpeg|mp3|mp4|x-m4a|m4a|aac|ogg|opus|flac|x-flac|wav|x-wav|wave|vnd\.wave|webm)$/, 'audio'],
  [/^text\//, 'text-plain'],
  [/^application\/(?:json|x-ndjson|xml|yaml|x-yaml|toml|javascript|x-javascript|sql)$/, 'text-plain'],
];
/** Browsers have no type, or a wrong one, for many files of text. */
const TEXT_NAME =
  /\.(?:txt|md|markdown|csv|tsv|json|jsonl|ndjson|ya?ml|toml|ini|log|xml|html?|css|sql|[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cpp|hpp|cs|php|sh|r|tex|rst|diff|patch)$/i;
/** Names of the same type, of which models know one. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-m4a': 'audio/mp4',
  'audio/m4a': 'audio/mp4',
  'audio/x-flac': 'audio/flac',
};

/** For the file dialog. */
export const ACCEPTED_FILES: readonly string[] = [
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf', 'audio/*', 'text/*'],
  ...['.md', '.csv', '.json', '.jsonl', '.yaml', '.yml', '.toml', '.log', '.xml', '.ts', '.tsx', '.py', '.sql'],
];

/** Of a request, for everything but its files: the text, the options, and the names around each. */
const RESERVED_BYTES = 64 * 1_024;

/** The bytes of files that still fit into a request. Base64 has four characters for three bytes. */
export function remainingBytes(bodyBytesMax: number, attached: number): number {
  return Math.max(0, Math.floor(((bodyBytesMax - RESERVED_BYTES) * 3) / 4) - attached);
}

interface ReadFiles {
  blocks: unknown[];
  /** Why some files were left out; null if all were read. */
  error: string | null;
}

/** Reads files as standard content blocks of LangChain. `attached`: bytes of those that the message already has. */
export async function readFiles(
  files: readonly File[],
  limit: { bodyBytesMax: number; attached: number },
): Promise<ReadFiles> {
  const blocks: unknown[] = [];
  const refused: string[] = [];
  const tooLarge: string[] = [];
  const empty: string[] = [];
  let bytes = limit.attached;
  for (const file of files) {
    const kind = kindOf(file);
    if (kind === null) refused.push(file.name);
    else if (file.size === 0) empty.push(file.name);
    else if (file.size > remainingBytes(limit.bodyBytesMax, bytes)) tooLarge.push(file.name);
    else {
      const block = kind === 'text-plain' ? await readText(file) : await readBinary(file, kind);
      if (block === null) refused.push(file.name);
      else {
        blocks.push(block);
        bytes += file.size;
      }
    }
  }
  const errors = [
    kindError(refused),
    empty.length === 0 ? null : `${empty.join(', ')}: the file is empty.`,
    sizeError(tooLarge, limit.bodyBytesMax),
  ].filter((error) => error !== null);
  return { blocks, error: errors.length === 0 ? null : errors.join('\n') };
}

function kindError(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const what = names.length === 1 ? 'this kind of file' : 'these kinds of files';
  return `${names.join(', ')}: ${what} cannot be attached. Choose PNG, JPEG, GIF or WebP images, PDF, text or audio.`;
}

function sizeError(names: readonly string[], bodyBytesMax: number): string | null {
  if (names.length === 0) return null;
  const most = formatBytes(remainingBytes(bodyBytesMax, 0));
  return (
    `${names.join(', ')}: too large. The files of a message can have ${most} together, because a request to this ` +
    `server can have ${formatBytes(bodyBytesMax)} (HTTP_MAX_REQUEST_BODY_BYTES).`
  );
}

function kindOf({ type, name }: File): 'image' | 'file' | 'audio' | 'text-plain' | null {
  if (TEXT_NAME.test(name)) return 'text-plain';
  const bare = type.split(';')[0]!.trim().toLowerCase();
  return KIND_OF_TYPE.find(([pattern]) => pattern.test(bare))?.[1] ?? null;
}

function mimeTypeOf({ type }: File): string {
  const bare = type.split(';')[0]!.trim().toLowerCase();
  return TYPE_NAMES[bare] ?? bare;
}

async function readBinary(file: File, type: string): Promise<unknown> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error(`${file.name} cannot be read. Choose it again.`)));
    reader.readAsDataURL(file);
  });
  const data = url.slice(url.indexOf(',') + 1);
  return { type, mimeType: mimeTypeOf(file), data, metadata: { filename: file.name } };
}

/** Null if the file is not UTF-8, which is a binary file with the name of a text. */
async function readText(file: File): Promise<unknown> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    if (text.includes('\0')) return null;
    const type = mimeTypeOf(file);
    const mimeType = type.startsWith('text/') || type.startsWith('application/') ? type : 'text/plain';
    return { type: 'text-plain', mimeType, text, title: file.name, metadata: { filename: file.name } };
  } catch {
    return null;
  }
}
