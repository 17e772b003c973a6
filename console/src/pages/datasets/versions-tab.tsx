import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Tag } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { evaluation, type Dataset, type DatasetVersion } from '../../api/evaluation.js';
import { downloadFile } from '../../api/http.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { TextField } from '../../components/field.js';
import { formatDateTime } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { exportFileName } from './export-name.js';

/** The versions of a dataset: each change of its examples makes one. */
export function VersionsTab({ dataset }: { dataset: Dataset }) {
  const [tagged, setTagged] = useState<DatasetVersion | null>(null);
  const { error, execute } = useAsyncAction();
  const versions = useQuery({
    queryKey: ['datasets', 'versions', dataset.id, dataset.modified_at],
    queryFn: ({ signal }) => evaluation.versions(dataset.id, signal),
  });
  const download = (version: DatasetVersion): Promise<void> =>
    execute(() =>
      downloadFile(
        `api/v1/datasets/${encodeURIComponent(dataset.id)}/export`,
        exportFileName(dataset.name, `${version.as_of.slice(0, 19).replaceAll(':', '-')}.jsonl`),
        { query: { as_of: version.as_of } },
      ),
    );
  const columns: Column<DatasetVersion>[] = [
    {
      id: 'time',
      name: 'Version',
      cell: ({ as_of: at }) => (
        <Link href={`/${dataset.id}?tab=examples&as_of=${encodeURIComponent(at)}`}>{formatDateTime(at)}</Link>
      ),
    },
    {
      id: 'tags',
      name: 'Tags',
      cell: ({ tags }) => (
        <span className="row">
          {(tags ?? []).map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      ),
    },
    { id: 'age', name: 'Made', wideOnly: true, cell: ({ as_of: at }) => <Time at={at} /> },
    {
      id: 'actions',
      name: <span className="visually-hidden">Actions</span>,
      cell: (version) => (
        <span className="row">
          <Button
            small
            variant="quiet"
            needs="datasets:update"
            aria-label={`Tag the version of ${formatDateTime(version.as_of)}`}
            onPress={() => setTagged(version)}
          >
            <Tag size={14} aria-hidden />
            Tag
          </Button>
          <Button
            small
            variant="quiet"
            aria-label={`Download JSON Lines of ${formatDateTime(version.as_of)}`}
            onPress={() => void download(version)}
          >
            <Download size={14} aria-hidden />
            JSON Lines
          </Button>
        </span>
      ),
    },
  ];
  if (versions.data === undefined)
    return versions.error === null ? (
      <Loading />
    ) : (
      <ErrorNote error={versions.error} onRetry={() => void versions.refetch()} />
    );
  return (
    <>
      {error === null ? null : <ErrorNote error={error} />}
      <Panel flush>
        <Table
          label="Versions"
          columns={columns}
          items={versions.data}
          idOf={({ as_of: at }) => at}
          empty={<EmptyState title="No versions yet">The first example makes one.</EmptyState>}
        />
      </Panel>
      {tagged === null ? null : <TagDialog dataset={dataset} version={tagged} onClose={() => setTagged(null)} />}
    </>
  );
}

function TagDialog({ dataset, version, onClose }: { dataset: Dataset; version: DatasetVersion; onClose: () => void }) {
  const client = useQueryClient();
  const [tag, setTag] = useState('');
  const { error, isPending, execute } = useAsyncAction();
  const save = (): Promise<void> =>
    execute(async () => {
      await evaluation.tagVersion(dataset.id, { as_of: version.as_of, tag: tag.trim() });
      await client.invalidateQueries({ queryKey: ['datasets', 'versions', dataset.id] });
      showToast(`The version has the tag “${tag.trim()}”.`);
      onClose();
    });
  return (
    <Dialog title={`Tag the version of ${formatDateTime(version.as_of)}`} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (tag.trim() !== '') void save();
        }}
      >
        <TextField
          label="Tag"
          placeholder="release-1"
          help="A tag that another version has moves to this one. Reads and experiments take a tag in place of a time."
          value={tag}
          onChange={setTag}
          isRequired
        />
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={tag.trim() === ''}>
            Tag
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
