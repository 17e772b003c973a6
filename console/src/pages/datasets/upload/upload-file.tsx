import { FileUp } from 'lucide-react';
import { useState } from 'react';
import type { Dataset } from '../../../api/evaluation.js';
import { Button } from '../../../components/button.js';
import { DropOverlay } from '../../../components/drop-overlay.js';
import { useFileDrop } from '../../../components/file-drop.js';
import { UploadDialog } from './upload-dialog.js';

/** A button that opens the dialog of an upload. A file that is dropped on the page opens it too. */
export function UploadFile({ dataset }: { dataset: Dataset | null }) {
  const [opened, setOpened] = useState<{ file: File | null } | null>(null);
  const isOver = useFileDrop((file) => setOpened({ file }));
  return (
    <>
      <Button onPress={() => setOpened({ file: null })}>
        <FileUp size={15} aria-hidden />
        {dataset === null ? 'Upload file' : 'Import file'}
      </Button>
      {isOver && opened === null ? (
        <DropOverlay>
          {dataset === null
            ? 'Drop a file to make a dataset of it'
            : `Drop a file to add its rows to “${dataset.name}”`}
        </DropOverlay>
      ) : null}
      {opened === null ? null : (
        <UploadDialog dataset={dataset} firstFile={opened.file} onClose={() => setOpened(null)} />
      )}
    </>
  );
}
