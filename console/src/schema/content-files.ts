/** A file in the content of a message, in any of the shapes that LangChain and model providers use. */
export interface ContentFile {
  kind: 'image' | 'audio' | 'video' | 'text' | 'file';
  /** Null if the block has none. */
  name: string | null;
  mimeType: string | null;
  /** Base64. */
  data: string | null;
  /** Content of a text file. */
  text: string | null;
  /** An `http:` or `https:` address. It is never loaded without a click. */
  url: string | null;
}

/** Pictures that the console shows. An SVG can contain scripts and addresses. */
const SHOWN_IMAGE = /^image\/(?:png|jpeg|gif|webp)$/;
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w-]+=[^;,]*)*;base64,/;
const KINDS: Readonly<Record<string, ContentFile['kind']>> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  file: 'file',
  document: 'file',
  'text-plain': 'text',
};

interface Fields {
  readonly [name: string]: unknown;
}

/** The file of a content block. Null for text and other blocks. */
export function contentFile(block: unknown): ContentFile | null {
  if (!isFields(block)) return null;
  const { type } = block;
  if (type === 'image_url') {
    const image = block['image_url'];
    return file('image', block, { address: isFields(image) ? image['url'] : image });
  }
  if (type === 'input_audio' && isFields(block['input_audio'])) {
    const { data, format } = block['input_audio'];
    return file('audio', block, { data, mimeType: typeof format === 'string' ? `audio/${format}` : null });
  }
  const sourceType = block['source_type'];
  if (type === 'text') return sourceType === 'text' ? file('text', block, { text: block['text'] }) : null;
  const kind = typeof type === 'string' ? KINDS[type] : undefined;
  if (kind === undefined) return null;
  const { source, file: openai } = block;
  if (isFields(openai))
    return file(kind, { ...block, metadata: { filename: openai['filename'] } }, { address: openai['file_data'] });
  if (isFields(source))
    return source['type'] === 'text'
      ? file('text', block, { text: source['data'], mimeType: source['media_type'] })
      : file(kind, block, { data: source['data'], address: source['url'], mimeType: source['media_type'] });
  return file(kind, block, {
    data: block['data'] ?? block['base64'],
    address: block['url'],
    mimeType: block['mimeType'] ?? block['mime_type'],
    text: kind === 'text' || sourceType === 'text' ? block['text'] : null,
  });
}

/** Null if there is nothing to show or to save, such as for the id of a file that a provider has. */
function file(
  kind: ContentFile['kind'],
  block: Fields,
  found: { data?: unknown; address?: unknown; mimeType?: unknown; text?: unknown },
): ContentFile | null {
  // Some put a whole data URL into the field for the data.
  const address = textOf(found.address) ?? (textOf(found.data)?.startsWith('data:') ? textOf(found.data) : null);
  const dataUrl = address === null ? null : DATA_URL.exec(address.slice(0, 200));
  const data = dataUrl === null ? textOf(found.data) : address!.slice(dataUrl[0].length);
  const url = address !== null && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;
  const text = textOf(found.text);
  if (url === null && text === null && (data === null || data.startsWith('data:'))) return null;
  return { kind, name: nameOf(block), mimeType: dataUrl?.[1] ?? textOf(found.mimeType), data, text, url };
}

function nameOf({ metadata, extras, title }: Fields): string | null {
  const more = isFields(metadata) ? metadata : isFields(extras) ? extras : {};
  return textOf(more['filename']) ?? textOf(more['name']) ?? textOf(more['title']) ?? textOf(title);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Address of a picture that the browser can show without a request. Null for everything else. */
export function imageSource({ kind, mimeType, data }: ContentFile): string | null {
  const type = mimeType?.toLowerCase() ?? '';
  return kind === 'image' && data !== null && SHOWN_IMAGE.test(type) ? `data:${type};base64,${data}` : null;
}

/** Null for a file with an address only. */
export function fileBytes({ data, text }: ContentFile): number | null {
  if (data !== null) return Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
  return text === null ? null : new Blob([text]).size;
}

/** The file itself. Null if there is none, or if it is not base64. */
export function fileBlob({ data, text }: ContentFile): Blob | null {
  // Never with the type that the message names: the browser must only save it.
  const type = 'application/octet-stream';
  if (data === null) return text === null ? null : new Blob([text], { type });
  try {
    const bytes = atob(data.replaceAll('-', '+').replaceAll('_', '/'));
    return new Blob([Uint8Array.from(bytes, (one) => one.charCodeAt(0))], { type });
  } catch {
    return null;
  }
}

const KIND_NAMES = { image: 'Image', audio: 'Audio', video: 'Video', text: 'Text', file: 'File' };

/** What a person reads in place of a name. */
export function fileName({ name, kind, mimeType }: ContentFile): string {
  const ending = /\/(?:x-)?([a-z0-9]{2,5})$/.exec(mimeType ?? '')?.[1];
  return name ?? (ending === undefined ? KIND_NAMES[kind] : `${KIND_NAMES[kind]}.${ending}`);
}

/** Content of a message that a person writes: one text, and files after it. */
export interface WrittenContent {
  text: string;
  /** Content blocks. */
  files: readonly unknown[];
}

/** Null for content that has anything else. */
export function writtenContent(content: unknown): WrittenContent | null {
  if (typeof content === 'string') return { text: content, files: [] };
  if (!Array.isArray(content) || content.length === 0) return null;
  const [first, ...others] = content as unknown[];
  const text = isFields(first) && first['type'] === 'text' && contentFile(first) === null ? textBlock(first) : null;
  const files = text === null ? (content as unknown[]) : others;
  return files.every((block) => contentFile(block) !== null) ? { text: text ?? '', files } : null;
}

function textBlock({ text }: Fields): string | null {
  return typeof text === 'string' ? text : null;
}

/**
 * The fields of a message with this content. With standard content blocks it is marked as LangChain's own constructor
 * marks it (`contentBlocks`), so that the packages of model providers convert them.
 */
export function withWrittenContent<T extends object>(message: T, { text, files }: WrittenContent): T {
  const { response_metadata: metadata, ...rest } = message as T & { response_metadata?: Fields };
  const { output_version: _version, ...kept } = metadata ?? {};
  const isStandard = files.length > 0 && files.every((block) => isFields(block) && 'mimeType' in block);
  const marked = isStandard ? { ...kept, output_version: 'v1' } : kept;
  return {
    ...rest,
    content: files.length === 0 ? text : [...(text === '' ? [] : [{ type: 'text', text }]), ...files],
    ...(Object.keys(marked).length === 0 ? {} : { response_metadata: marked }),
  } as unknown as T;
}
