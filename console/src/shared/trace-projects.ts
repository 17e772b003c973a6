import { useQuery } from '@tanstack/react-query';
import { evaluation, type Experiment } from '../api/evaluation.js';

const PROJECTS_MAX = 100;
const REFRESH_MS = 5_000;

/** Projects with traces, by name: those of assistants, and those that clients send. */
async function fetchProjects(signal: AbortSignal): Promise<Experiment[]> {
  return evaluation.experiments(
    { reference_free: true, limit: PROJECTS_MAX, sort_by: 'name', sort_by_desc: false },
    signal,
  );
}

export function useTraceProjects() {
  return useQuery({
    queryKey: ['traces', 'projects'],
    queryFn: ({ signal }) => fetchProjects(signal),
    // The first run of an assistant creates its project.
    refetchInterval: REFRESH_MS,
  });
}

/**
 * Choices of a project, or of all assistants (an empty id). `chosen`: a project that the list may lack; `missingName`
 * stands for its name if that is unknown.
 */
export function projectOptions(
  projects: readonly { id: string; name: string }[],
  chosen: { id: string | null; name: string | null },
  missingName: string,
): { id: string; name: string }[] {
  const { id, name } = chosen;
  const isMissing = id !== null && !projects.some((project) => project.id === id);
  return [
    { id: '', name: 'all assistants' },
    ...(isMissing ? [{ id, name: name ?? missingName }] : []),
    ...projects.map((project) => ({ id: project.id, name: project.name })),
  ];
}
