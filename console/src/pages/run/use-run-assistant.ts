import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Assistant } from '@langchain/langgraph-sdk';
import { client } from '../../api/client.js';
import type { JsonSchema } from '../../schema/model.js';

const NO_SCHEMA: JsonSchema = {};

interface RunAssistant {
  /** Null while it is unknown. */
  assistantId: string | null;
  assistant: Assistant | undefined;
  /** Undefined until they are loaded. */
  schemas: { input: JsonSchema; context: JsonSchema | null; config: JsonSchema | null } | undefined;
  isLoading: boolean;
  /** True if the server has no assistant. */
  isMissing: boolean;
  errors: readonly Error[];
}

/** The assistant of the page. Without one in the URL: the one of the run, or else the first by name. */
export function useRunAssistant(knownId: string | null, runId: string | null): RunAssistant {
  const first = useQuery({
    queryKey: ['run', 'first'],
    queryFn: ({ signal }) => client.assistants.search({ limit: 1, sortBy: 'name', sortOrder: 'asc', signal }),
    enabled: knownId === null && runId === null,
  });
  const assistantId = knownId ?? (runId === null ? first.data?.[0]?.assistant_id : undefined) ?? null;
  const assistant = useQuery({
    queryKey: ['run', 'assistant', assistantId],
    queryFn: ({ signal }) => client.assistants.get(assistantId!, { signal }),
    enabled: assistantId !== null,
    placeholderData: keepPreviousData,
  });
  const schemas = useQuery({
    queryKey: ['run', 'schemas', assistantId],
    queryFn: ({ signal }) => client.assistants.getSchemas(assistantId!, { signal }),
    enabled: assistantId !== null,
    staleTime: 60_000,
  });
  return {
    assistantId,
    assistant: assistant.data,
    schemas:
      schemas.data === undefined
        ? undefined
        : {
            input: (schemas.data.input_schema ?? NO_SCHEMA) as JsonSchema,
            context: (schemas.data.context_schema ?? null) as JsonSchema | null,
            config: (schemas.data.config_schema ?? null) as JsonSchema | null,
          },
    isLoading: schemas.isLoading || first.isLoading,
    isMissing: first.data?.length === 0,
    errors: [first.error, assistant.error, schemas.error].filter((error) => error !== null),
  };
}
