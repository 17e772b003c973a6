import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { evaluation, type Dataset } from '../api/evaluation.js';
import { errorMessage } from '../api/http.js';
import { pluralize } from '../components/format.js';
import { SearchableSelect } from '../components/searchable-select.js';

/** Datasets in the list at once. Typing narrows the list. */
const DATASETS_OFFERED_MAX = 30;

/** Selection of a dataset by its name, or the name of a new one. */
export function DatasetField({ name, onName }: { name: string; onName: (name: string) => void }) {
  const { found, known } = useOfferedDatasets(name);
  const isNew = name.trim() !== '' && known === undefined && !found.isPlaceholderData;
  return (
    <SearchableSelect
      label="Dataset"
      placeholder="Search by name, or name a new one"
      help={isNew ? 'This dataset is new.' : undefined}
      text={name}
      onTextChange={onName}
      options={(found.data ?? []).map(({ id, name: one, example_count: count }) => ({
        id,
        name: one,
        detail: pluralize(count, 'example'),
      }))}
      selectedId={known?.id ?? null}
      onSelect={(id) => onName(found.data?.find((one) => one.id === id)?.name ?? name)}
      emptyText={null}
      error={found.error === null ? null : errorMessage(found.error)}
      isRequired
    />
  );
}

/** True if no dataset has this name. */
export function useIsNewDataset(name: string): boolean {
  return useOfferedDatasets(name).known === undefined && name.trim() !== '';
}

function useOfferedDatasets(name: string) {
  const searched = useDeferredValue(name.trim());
  const found = useQuery({
    queryKey: ['datasets', 'offered', searched],
    queryFn: ({ signal }) =>
      evaluation.datasets({ name_contains: searched === '' ? null : searched, limit: DATASETS_OFFERED_MAX }, signal),
    placeholderData: keepPreviousData,
  });
  return { found, known: found.data?.find((one) => one.name === name.trim()) };
}

/** The dataset with this name, which is created if there is none. */
export async function datasetNamed(name: string): Promise<Dataset> {
  const [existing] = await evaluation.datasets({ name: name.trim(), limit: 1 });
  return existing ?? (await evaluation.createDataset({ name: name.trim() }));
}
