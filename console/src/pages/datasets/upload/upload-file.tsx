import { FileUp } from 'lucide-react';
import { useState } from 'react';
import type { Dataset } from '../../../api/evaluation.js';
import { Button } from '../../../components/button.js';
import { DropOverlay } from '../../../components/drop-overlay.js';
import { useFileDrop } from '../../../components/file-drop.js';
import { useDenial } from '../../../components/needs.js';
import { UploadDialog } from './upload-dialog.js';

const NEEDS = 'datasets:create';

/** A button that opens the dialog of an upload. A file that is dropped on the page opens it too. */
export function UploadFile({ dataset }: { dataset: Dataset | null }) {
  const [opened, setOpened] = useState<{ file: File | null } | null>(null);
  const denial = useDenial(NEEDS);
  const isOver = useFileDrop((file) => {
    if (denial === null) setOpened({ file });
  });
  return (
    <>
      <Button needs={NEEDS} onPress={() => setOpened({ file: null })}>
        <FileUp size={15} aria-hidden />
        {dataset === null ? 'Upload file' : 'Import file'}
      </Button>
      {isOver && opened === null ? (
        <DropOverlay>
          {denial ??
            (dataset === null
              ? 'Drop a file to make a dataset of it'
              : `Drop a file to add its rows to “${dataset.name}”`)}
        </DropOverlay>
      ) : null}
      {opened === null ? null : (
        <UploadDialog dataset={dataset} firstFile={opened.file} onClose={() => setOpened(null)} />
      )}
    </>
  );
}
