import { shortId } from '../components/format.js';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { evaluation } from '../api/evaluation.js';

/** An experiment by its name, where only its id is known. */
export function ExperimentName({ id, href }: { id: string; href: string }) {
  const experiment = useQuery({
    queryKey: ['experiments', 'name', id],
    queryFn: async ({ signal }) =>
      (await evaluation.experiments({ id: [id], include_stats: false, limit: 1 }, signal))[0] ?? null,
  });
  if (experiment.data === undefined) return <code>{shortId(id)}</code>;
  return experiment.data === null ? (
    <span className="soft">deleted</span>
  ) : (
    <Link href={href}>{experiment.data.name}</Link>
  );
}
