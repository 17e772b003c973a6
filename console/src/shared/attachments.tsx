import type { AttachmentUrls } from '../api/evaluation.js';
import { SERVER_URL } from '../api/session.js';
import styles from './attachments.module.css';

const PREFIX = 'attachment.';
/** The server lets browsers show these, and download everything else. */
const SHOWN = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;

/** Links to the files of an example or a run, with images in small. Nothing if it has none. */
export function Attachments({ urls }: { urls: AttachmentUrls | null | undefined }) {
  const found = Object.entries(urls ?? {}).map(([key, { presigned_url: url, mime_type: mime }]) => ({
    name: key.slice(PREFIX.length),
    url: new URL(url, SERVER_URL).href,
    mime,
  }));
  if (found.length === 0) return null;
  return (
    <div>
      <h3>Attachments</h3>
      <ul className={styles['list']}>
        {found.map(({ name, url, mime }) => (
          <li key={name}>
            <a href={url} target="_blank" rel="noreferrer">
              {SHOWN.test(mime) ? <img src={url} alt="" loading="lazy" className={styles['image']} /> : null}
              <span dir="auto">{name}</span>
            </a>
            <span className="soft">{mime}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
