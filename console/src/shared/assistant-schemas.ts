import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../api/client.js';
import type { JsonSchema } from '../schema/model.js';

/** The schemas of an assistant or, by the name of a graph, of its default assistant. */
export function useSchemas(id: string | null) {
  return useQuery({
    queryKey: ['assistants', 'schemas', id],
    enabled: id !== null,
    queryFn: ({ signal }) => client.assistants.getSchemas(id!, { signal }),
  });
}

/** The schema of `config`. The graph only says what is in `configurable`. */
export function useConfigSchema(configurable: unknown): JsonSchema {
  return useMemo(
    () => ({
      type: 'object',
      properties: {
        configurable: (configurable as JsonSchema | null | undefined) ?? {
          description: 'The graph has no schema for it. Any keys are accepted.',
        },
        recursion_limit: { type: 'integer', minimum: 1, description: 'Steps after which a run fails.' },
        tags: { type: 'array', items: { type: 'string' } },
      },
    }),
    [configurable],
  );
}
