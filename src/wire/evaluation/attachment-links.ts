import { createHmac, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '../../base/limits.js';
import { pack, unpack } from '../codec.js';

/** Path of the route that serves attachments. */
export const ATTACHMENTS_PATH = '/api/v1/attachments';

/** The file that a link opens. */
export interface AttachmentLink {
  owner: 'example' | 'run';
  ownerId: string;
  /** Version of the example; 0 for a run. */
  versionUs: number;
  /** Made while the example or run existed. False for a link to an older version of a removed example. */
  live: boolean;
  group: number;
  at: number;
  expiresAtMs: number;
}

export interface LinkSettings {
  /** Start of every URL: the configured address of the server, or only its path prefix. */
  base: string;
  /** Secret from which links are signed. */
  key: Uint8Array;
}

const SIGNATURE_BYTES = 18;

/** Signs and opens links to attachments. A link needs no record: it contains what it opens and until when. */
export class AttachmentLinks {
  readonly #base: string;
  readonly #key: Uint8Array;

  constructor({ base, key }: LinkSettings) {
    this.#base = base;
    this.#key = key;
  }

  urlOf(link: Omit<AttachmentLink, 'expiresAtMs'>, nowMs: number): string {
    return `${this.#base}${ATTACHMENTS_PATH}/${this.tokenOf({ ...link, expiresAtMs: nowMs + LIMITS.attachmentLinkTtlMs })}`;
  }

  tokenOf({ owner, ownerId, versionUs, live, group, at, expiresAtMs }: AttachmentLink): string {
    const content = pack([owner, ownerId, versionUs, live, group, at, expiresAtMs]);
    return `${Buffer.from(content).toString('base64url')}.${this.#signatureOf(content).toString('base64url')}`;
  }

  /** Null when this server did not sign it. The caller checks whether it has expired. */
  open(token: string): AttachmentLink | null {
    const [content, signature, ...rest] = token.split('.').map((part) => Buffer.from(part, 'base64url'));
    if (content === undefined || signature === undefined || rest.length > 0) return null;
    const expected = this.#signatureOf(content);
    if (signature.byteLength !== expected.byteLength || !timingSafeEqual(signature, expected)) return null;
    const [owner, ownerId, versionUs, live, group, at, expiresAtMs] =
      unpack<[AttachmentLink['owner'], string, number, boolean, number, number, number]>(content);
    return { owner, ownerId, versionUs, live, group, at, expiresAtMs };
  }

  #signatureOf(content: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(content).digest().subarray(0, SIGNATURE_BYTES);
  }
}
