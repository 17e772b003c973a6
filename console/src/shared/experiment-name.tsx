import { shortId } from '../components/format.js';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { evaluation } from '../api/evaluation.js';

/** Link to an experiment, with its name looked up by id. */
export function ExperimentName({ id, href }: { id: string; href: string }) {
  const experiment = useQuery({
    queryKey: ['experiments', 'name', id],
    queryFn: async ({ signal }) =>
      (await evaluation.experiments({ id: [id], include_stats: false, limit: 1 }, signal))[0] ?? null,
  });
  if (experiment.data === undefined) return <code>{shortId(id)}</code>;
  return experiment.data === null ? (
    <span className="soft">Deleted</span>
  ) : (
    <Link href={href}>{experiment.data.name}</Link>
  );
}
