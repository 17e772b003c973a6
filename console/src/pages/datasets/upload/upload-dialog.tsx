import { useQueryClient } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useLocation } from 'wouter';
import { evaluation, type Dataset } from '../../../api/evaluation.js';
import { errorMessage, statusOf } from '../../../api/http.js';
import { useAsyncAction } from '../../../components/async-action.js';
import { Button } from '../../../components/button.js';
import { Dialog, DialogActions } from '../../../components/dialog.js';
import { Checkbox, TextField } from '../../../components/field.js';
import { useFileDrop } from '../../../components/file-drop.js';
import { formatBytes, formatCount, formatPercent, pluralize } from '../../../components/format.js';
import { ErrorNote, Loading } from '../../../components/note.js';
import { showToast } from '../../../components/toast.js';
import { ColumnFields } from './column-fields.js';
import type { Mapping } from './examples.js';
import { Preview } from './preview.js';
import { readExamples, readSummary, RowErrors, type FileSummary } from './read-file.js';
import { refusedRows } from './refused-rows.js';
import { RowErrorTable } from './row-error-table.js';
import styles from './upload.module.css';

/**
 * Reads a file in the browser, shows what its rows become, and makes examples of them. `dataset`: the one that gets
 * them; null makes a new one. `firstFile`: a file that was dropped on the page.
 */
export function UploadDialog({
  dataset,
  firstFile,
  onClose,
}: {
  dataset: Dataset | null;
  firstFile: File | null;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [file, setFile] = useState<File | null>(null);
  const [summary, setSummary] = useState<FileSummary | null>(null);
  const [mapping, setMapping] = useState<Mapping | null>(null);
  const [share, setShare] = useState(0);
  const [name, setName] = useState('');
  const [skipsErrors, setSkipsErrors] = useState(false);
  const reading = useAsyncAction();
  const sending = useAsyncAction();
  // Closing the dialog or choosing another file ends what was begun.
  const work = useRef(new AbortController());
  const begin = (): AbortSignal => {
    work.current.abort();
    work.current = new AbortController();
    return work.current.signal;
  };

  const choose = (chosen: File): void => {
    const signal = begin();
    sending.clearError();
    setFile(chosen);
    setSummary(null);
    setSkipsErrors(false);
    setShare(0);
    if (dataset === null) setName(chosen.name.replace(/\.\w+$/, ''));
    void reading.execute(async () => {
      const found = await readSummary(chosen, { signal, onProgress: setShare }).catch(unlessAborted(signal));
      if (found === null) return;
      setSummary(found);
      setMapping(found.mapping);
    });
  };
  const isOver = useFileDrop(choose, { isInDialog: true });
  useEffect(() => {
    if (firstFile !== null) choose(firstFile);
    return () => work.current.abort();
    // Only the file with which the dialog opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const uses = mapping?.uses ?? null;
  const hasInputs = uses === null || Object.values(uses).includes('inputs');
  const rowErrors = rowErrorsOf(summary, sending.error);
  const canSend =
    summary !== null &&
    summary.rowCount > 0 &&
    hasInputs &&
    (skipsErrors || summary.errorCount === 0) &&
    (dataset !== null || name.trim() !== '');
  const send = (): Promise<void> => {
    const signal = begin();
    return sending.execute(async () => {
      const done = await addExamples(signal).catch(unlessAborted(signal));
      if (done === null) return;
      await client.invalidateQueries({ queryKey: ['datasets'] });
      showToast(`${pluralize(done.count, 'example is', 'examples are')} imported.`);
      onClose();
      navigate(`/${done.id}?tab=examples`);
    });
  };
  const addExamples = async (signal: AbortSignal): Promise<{ id: string; count: number }> => {
    const { body, rowNumbers } = await readExamples(summary!.file, mapping!, { signal, skipsErrors });
    const id = dataset?.id ?? (await evaluation.createDataset({ name: name.trim() })).id;
    try {
      const { count } = await evaluation.importLines(id, body, signal);
      return { id, count };
    } catch (error) {
      if (dataset === null) await removeEmpty(id);
      throw refusedRows(error, rowNumbers) ?? explained(error, body);
    }
  };
  const isNameTaken = dataset === null && sending.error !== null && statusOf(sending.error) === 409;
  return (
    <Dialog
      title={dataset === null ? 'New dataset from a file' : 'Import examples from a file'}
      isOpen
      size="medium"
      onClose={onClose}
    >
      <form
        className="stack"
        // The browser refuses to submit while a field has an error of the server. Refused rows stay listed.
        onChange={() => {
          if (!(sending.error instanceof RowErrors)) sending.clearError();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (canSend) void send();
        }}
      >
        <div className={styles['drop']} data-over={isOver} data-chosen={file !== null}>
          <FileTrigger
            acceptedFileTypes={['.csv', '.tsv', '.jsonl', '.ndjson', '.json', 'text/csv']}
            onSelect={(files) => {
              const [first] = files ?? [];
              if (first !== undefined) choose(first);
            }}
          >
            <Button isDisabled={sending.isPending}>
              <FileUp size={15} aria-hidden />
              {file === null ? 'Choose a file' : 'Choose another file'}
            </Button>
          </FileTrigger>
          {file === null ? (
            <span className="soft">or drop it here: CSV, a JSON list, or JSON lines</span>
          ) : (
            <span className={styles['file']}>
              <strong dir="auto">{file.name}</strong> <span className="soft">{formatBytes(file.size)}</span>
            </span>
          )}
        </div>
        {file !== null && summary === null && reading.error === null ? (
          <Loading what={`Reading the file, ${formatPercent(Math.floor(share * 10) / 10)}`} />
        ) : null}
        {reading.error === null ? null : <ErrorNote error={reading.error} />}
        {summary === null || mapping === null ? null : (
          <>
            <p role="status">
              <strong>{pluralize(summary.rowCount, 'row')}</strong> read, with{' '}
              {pluralize(summary.columns.length, summary.isCsv ? 'column' : 'field')}.
              {summary.errorCount === 0 ? null : (
                <span className={styles['bad']}> {pluralize(summary.errorCount, 'row')} cannot be read.</span>
              )}
            </p>
            {rowErrors === null ? null : <RowErrorTable {...rowErrors} />}
            {rowErrors === null || !rowErrors.canSkip ? null : (
              <Checkbox value={skipsErrors} onChange={setSkipsErrors}>
                Import the other rows without {rowErrors.count === 1 ? 'this one' : 'these'}
              </Checkbox>
            )}
            {dataset === null ? (
              <TextField
                label="Name of the dataset"
                value={name}
                onChange={setName}
                isRequired
                error={isNameTaken ? errorMessage(sending.error) : null}
              />
            ) : null}
            <ColumnFields
              summary={summary}
              mapping={mapping}
              onChange={(next) => {
                sending.clearError();
                setSkipsErrors(false);
                setMapping(next);
              }}
            />
            {summary.rowCount === 0 ? null : hasInputs ? (
              <Preview rows={summary.firstRows} mapping={mapping} />
            ) : (
              <p className={styles['bad']}>Choose which {summary.isCsv ? 'columns' : 'fields'} are inputs.</p>
            )}
          </>
        )}
        {sending.error === null || isNameTaken || sending.error instanceof RowErrors ? null : (
          <ErrorNote error={sending.error} />
        )}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={sending.isPending} isDisabled={!canSend}>
            {dataset === null ? 'Create dataset' : 'Import'}
            {canSend && dataset !== null ? ` ${formatCount(summary.rowCount)}` : null}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The rows to list: those that the last attempt refused, otherwise those that cannot be read. */
function rowErrorsOf(summary: FileSummary | null, error: unknown) {
  if (error instanceof RowErrors)
    return { title: 'Rows that are refused', errors: error.errors, count: error.count, canSkip: error.canSkip };
  if (summary === null || summary.errorCount === 0) return null;
  return { title: 'Rows that cannot be read', errors: summary.errors, count: summary.errorCount, canSkip: true };
}

/** A handler for `catch` that gives null if the work was given up. */
function unlessAborted(signal: AbortSignal): (error: unknown) => null {
  return (error) => {
    if (signal.aborted) return null;
    throw error;
  };
}

/** Removes a dataset whose examples were refused. It may remain if the key may not delete it. */
async function removeEmpty(id: string): Promise<void> {
  await evaluation.deleteDataset(id).catch(() => undefined);
}

/** A server that refuses a large body may close the connection before its answer can be read. */
function explained(error: unknown, body: Blob): unknown {
  if (statusOf(error) !== 0 || body.size < LARGE_BODY_BYTES) return error;
  return new Error(
    `The connection ended while ${formatBytes(body.size)} were sent. That may be more than the server accepts ` +
      '(THREADMILL_MAX_UPLOAD_BYTES). Split the file and import the parts one after the other.',
  );
}

const LARGE_BODY_BYTES = 1024 * 1024;
