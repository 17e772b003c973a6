import type { Assistant, AssistantVersion, Metadata } from '@langchain/langgraph-sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import { queryClient } from '../../api/query-client.js';

export const PAGE_SIZE = 25;
/** More than any configuration contains. */
const GRAPHS_MAX = 1_000;

export interface AssistantSearch {
  name: string;
  graph: string;
  metadata: Metadata;
  offset: number;
}

/** A page of assistants, and the total number. */
export function useAssistants({ name, graph, metadata, offset }: AssistantSearch, enabled: boolean) {
  const filter = {
    ...(name === '' ? {} : { name }),
    ...(graph === '' ? {} : { graphId: graph }),
    ...(metadata === null ? {} : { metadata }),
  };
  const page = useQuery({
    queryKey: ['assistants', 'list', filter, offset],
    enabled,
    queryFn: ({ signal }) =>
      client.assistants.search({ ...filter, limit: PAGE_SIZE, offset, includePagination: true, signal }),
    placeholderData: keepPreviousData,
  });
  const total = useQuery({
    queryKey: ['assistants', 'count', filter],
    enabled,
    queryFn: ({ signal }) => client.assistants.count({ ...filter, signal }),
  });
  return { page, total };
}

/** Names of the configured graphs. Each has a default assistant. */
export function useGraphs() {
  return useQuery({
    queryKey: ['assistants', 'graphs'],
    queryFn: async ({ signal }) => {
      const found = await client.assistants.search({
        metadata: { created_by: 'system' },
        limit: GRAPHS_MAX,
        select: ['graph_id', 'metadata'],
        signal,
      });
      return [...new Set(found.map(({ graph_id: graph }) => graph))].toSorted();
    },
  });
}

export function useAssistant(id: string) {
  return useQuery({
    queryKey: ['assistants', 'one', id],
    queryFn: ({ signal }) => client.assistants.get(id, { signal }),
  });
}

/** Reloads all data about assistants after a change. */
export function reloadAssistants(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['assistants'] });
}

/** Whether this is the default assistant of a graph in langgraph.json. */
export function isDefaultAssistant({ metadata }: Pick<Assistant, 'metadata'>): boolean {
  return metadata?.['created_by'] === 'system';
}

/** The fields of an assistant that a version contains. */
export function versionContent({
  name,
  description,
  graph_id,
  config,
  context,
  metadata,
}: Assistant | AssistantVersion) {
  return { name, description: description ?? null, graph_id, config, context, metadata };
}
