import { fetchJson, ServerError } from './http.js';
import { SERVER_URL } from './session.js';

export type ShareKind = 'dataset' | 'run';

/** A public link. */
export interface Share {
  share_token: string;
  /** Only of datasets: whether the link lists the experiments too. */
  share_projects?: boolean;
}

const at = (kind: ShareKind, id: string): string => `api/v1/${kind}s/${encodeURIComponent(id)}/share`;

export const shares = {
  /** Whether the server allows public links. True if it does not say: it then refuses with the reason. */
  async areAllowed(signal?: AbortSignal): Promise<boolean> {
    try {
      const { instance_flags: flags } = await fetchJson<{ instance_flags?: Readonly<Record<string, unknown>> }>(
        'info',
        {
          signal,
        },
      );
      return flags?.['public_shares_enabled'] !== false;
    } catch (error) {
      if (error instanceof ServerError && error.status !== 0) return true;
      throw error;
    }
  },
  /** Null if the subject is not shared. */
  get: (kind: ShareKind, id: string, signal?: AbortSignal) => fetchJson<Share | null>(at(kind, id), { signal }),
  createForRun: (id: string) => fetchJson<Share>(at('run', id), { method: 'PUT', body: {} }),
  /** Creates the link, or changes what it lists. */
  putForDataset: (id: string, withExperiments: boolean) =>
    fetchJson<Share>(at('dataset', id), { method: 'PUT', query: { share_projects: withExperiments } }),
  delete: (kind: ShareKind, id: string) => fetchJson(at(kind, id), { method: 'DELETE' }),
};

export function shareUrl(kind: ShareKind, token: string): string {
  return new URL(`public/${token}/${kind === 'dataset' ? 'd' : 'r'}`, SERVER_URL).href;
}
