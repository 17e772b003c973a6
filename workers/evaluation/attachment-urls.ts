import type { JsonBytes } from '../../src/base/json/json.js';
import { unpackAttachments } from '../../src/store/evaluation/attachments.js';
import type { AttachmentLink, AttachmentLinks } from '../../src/wire/evaluation/attachment-links.js';

/**
 * Links to the attachments of a record that the caller may see, as `attachment_urls` of an example and `s3_urls` of a
 * run. Null when it has none.
 */
export function attachmentUrls(
  links: AttachmentLinks,
  owner: Pick<AttachmentLink, 'owner' | 'ownerId' | 'versionUs' | 'live'>,
  stored: JsonBytes | null,
): Record<string, { presigned_url: string; mime_type: string }> | null {
  const attachments = unpackAttachments(stored);
  if (attachments.length === 0) return null;
  const nowMs = Date.now();
  return Object.fromEntries(
    attachments.map(({ name, mime, group, at }) => [
      `attachment.${name}`,
      { presigned_url: links.urlOf({ ...owner, group, at }, nowMs), mime_type: mime },
    ]),
  );
}
