import { useQuery } from '@tanstack/react-query';
import { alerts } from '../api/alerts.js';
import { pluralize } from '../components/format.js';
import styles from './shell.module.css';

const REFRESH_MS = 30_000;

/** Number of alerts that are firing; nothing if none is, or if this user may not see alerts. */
export function FiringCount() {
  const { data } = useQuery({
    queryKey: ['alerts', 'firing'],
    queryFn: ({ signal }) => alerts.firing(signal),
    refetchInterval: REFRESH_MS,
    retry: false,
  });
  if (data === undefined || data.length === 0) return null;
  return (
    <span className={styles['firing']}>
      <span aria-hidden>{data.length}</span>
      <span className="visually-hidden">, {pluralize(data.length, 'alert')} firing</span>
    </span>
  );
}
