import type { Assistant, AssistantVersion, Metadata } from '@langchain/langgraph-sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import { queryClient } from '../../api/queries.js';

export const PAGE = 25;
/** More graphs than anyone configures. */
const GRAPHS_MAX = 1_000;

export interface Search {
  name: string;
  graph: string;
  metadata: Metadata;
  offset: number;
}

/** A page of assistants, and how many there are in all. */
export function useAssistants({ name, graph, metadata, offset }: Search, enabled: boolean) {
  const filter = {
    ...(name === '' ? {} : { name }),
    ...(graph === '' ? {} : { graphId: graph }),
    ...(metadata === null ? {} : { metadata }),
  };
  const page = useQuery({
    queryKey: ['assistants', 'list', filter, offset],
    enabled,
    queryFn: ({ signal }) =>
      client.assistants.search({ ...filter, limit: PAGE, offset, includePagination: true, signal }),
    placeholderData: keepPreviousData,
  });
  const total = useQuery({
    queryKey: ['assistants', 'count', filter],
    enabled,
    queryFn: ({ signal }) => client.assistants.count({ ...filter, signal }),
  });
  return { page, total };
}

/** Names of the graphs that the server hosts: each has an assistant of its own. */
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

export function useSchemas(id: string | null) {
  return useQuery({
    queryKey: ['assistants', 'schemas', id],
    enabled: id !== null,
    queryFn: ({ signal }) => client.assistants.getSchemas(id!, { signal }),
  });
}

/** After a change all that was read of assistants is read anew. */
export function changed(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['assistants'] });
}

/** The assistant that a graph of langgraph.json has by itself. */
export function isOfGraph({ metadata }: Pick<Assistant, 'metadata'>): boolean {
  return metadata?.['created_by'] === 'system';
}

/** What of an assistant a version is about. */
export function contentOf({ name, description, graph_id, config, context, metadata }: Assistant | AssistantVersion) {
  return { name, description: description ?? null, graph_id, config, context, metadata };
}
