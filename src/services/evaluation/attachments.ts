import { fail } from '../../base/errors.js';
import { isoMicros } from '../../base/micros.js';
import { unpackAttachments, type Attachment } from '../../store/evaluation/attachments.js';
import { findEvaluationRun } from '../../store/evaluation/evaluation-runs.js';
import { versionsOf, type ExampleVersion } from '../../store/evaluation/examples.js';
import type { AttachmentLink } from '../../wire/evaluation/attachment-links.js';
import type { EvaluationContext } from './context.js';

/** The attachment that a link opens. Throws ATTACHMENT_NOT_FOUND, ATTACHMENT_LINK_EXPIRED. */
export function openAttachment(evaluation: EvaluationContext, token: string): Attachment {
  const link = evaluation.attachmentLinks.open(token);
  if (link === null) throw fail('ATTACHMENT_NOT_FOUND', {});
  if (link.expiresAtMs <= evaluation.clock.nowMs())
    throw fail('ATTACHMENT_LINK_EXPIRED', { expiredAt: isoMicros(link.expiresAtMs * 1_000) });
  const stored =
    link.owner === 'run'
      ? findEvaluationRun(evaluation.latest, link.ownerId)?.run.attachments
      : linkedVersion(evaluation, link)?.attachments;
  const found = unpackAttachments(stored).find(({ group, at }) => group === link.group && at === link.at);
  if (found === undefined) throw fail('ATTACHMENT_NOT_FOUND', {});
  return found;
}

/**
 * The version of the example that the link was made for. A removed example remains readable as of an earlier time, so
 * links from such reads work, but those from before the removal do not.
 */
function linkedVersion(
  { latest }: EvaluationContext,
  { ownerId, versionUs, live }: AttachmentLink,
): ExampleVersion | undefined {
  const versions = [...versionsOf(latest.store, ownerId)].map(({ version }) => version);
  if (live && versions[0]?.removed === true) return undefined;
  return versions.find((version) => version.versionUs === versionUs);
}
