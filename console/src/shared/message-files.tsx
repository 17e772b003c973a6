import { Download, ExternalLink, Eye } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '../api/http.js';
import { Button, IconButton } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { FileChip } from '../components/file-chip.js';
import { formatBytes } from '../components/format.js';
import { TextViewer } from '../components/text-viewer.js';
import { showToast } from '../components/toast.js';
import { fileBlob, fileBytes, fileName, imageSource, type ContentFile } from '../schema/content-files.js';
import styles from './message-files.module.css';

/** Files of a message: pictures that it contains, and a line for everything else. */
export function MessageFiles({ files }: { files: readonly ContentFile[] }) {
  return (
    <ul className={styles['list']} aria-label="Files of the message">
      {files.map((file, at) => (
        <li key={at}>
          <MessageFile file={file} />
        </li>
      ))}
    </ul>
  );
}

function MessageFile({ file }: { file: ContentFile }) {
  const [isBroken, setBroken] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const name = fileName(file);
  const source = isBroken ? null : imageSource(file);
  if (source !== null)
    return (
      <>
        <button type="button" className={styles['open']} aria-label={`Enlarge ${name}`} onClick={() => setOpen(true)}>
          <img src={source} alt={name} className={styles['image']} onError={() => setBroken(true)} />
        </button>
        <Dialog title={name} isOpen={isOpen} size="wide" onClose={() => setOpen(false)}>
          <div className={styles['large']}>
            <img src={source} alt={name} />
          </div>
          <DialogActions>
            <span className={`soft ${styles['detail']}`}>{detailOf(file)}</span>
            <Button onPress={() => save(file)}>
              <Download size={15} aria-hidden />
              Download
            </Button>
          </DialogActions>
        </Dialog>
      </>
    );
  if (file.url !== null) return <LinkedFile file={file} url={file.url} />;
  return (
    <>
      <FileChip kind={file.kind} name={name} detail={isBroken ? `${detailOf(file)}, cannot be shown` : detailOf(file)}>
        {file.text === null ? null : (
          <IconButton small label={`Show ${name}`} onPress={() => setOpen(true)}>
            <Eye size={15} aria-hidden />
          </IconButton>
        )}
        <IconButton small label={`Download ${name}`} onPress={() => save(file)}>
          <Download size={15} aria-hidden />
        </IconButton>
      </FileChip>
      <TextViewer title={name} text={isOpen ? file.text : null} onClose={() => setOpen(false)} />
    </>
  );
}

/** Not loaded: the request would tell the other host who reads the message. */
function LinkedFile({ file, url }: { file: ContentFile; url: string }) {
  return (
    <FileChip
      kind={file.kind}
      name={
        <a href={url} target="_blank" rel="noopener noreferrer" title={url}>
          {file.name ?? url}
          <ExternalLink size={12} aria-hidden className={styles['external']} />
        </a>
      }
      detail={`${file.kind === 'image' ? 'Image' : 'File'} at ${new URL(url).host}, not loaded`}
    />
  );
}

function detailOf(file: ContentFile): string {
  return [file.mimeType, formatBytes(fileBytes(file) ?? 0)].filter((part) => part !== null).join(', ');
}

function save(file: ContentFile): void {
  const blob = fileBlob(file);
  if (blob === null) showToast(`${fileName(file)} is not valid base64, so it cannot be saved.`);
  else saveFile(blob, fileName(file));
}
