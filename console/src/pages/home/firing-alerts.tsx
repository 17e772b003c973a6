import { Link } from 'wouter';
import { Badge } from '../../components/badge.js';
import { consoleHref } from '../../components/console-href.js';
import { Panel } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { describeCondition, formatAlertValue, stateWords } from '../../shared/alert-words.js';
import { useFiringAlerts } from './home-data.js';
import styles from './home.module.css';

const SHOWN_MAX = 5;

/** Absent while no alert is firing. */
export function FiringAlerts() {
  const { data } = useFiringAlerts();
  if (data === undefined || data.length === 0) return null;
  const [stateName, variant] = stateWords('firing');
  return (
    <Panel title="Firing alerts" actions={<Link href={consoleHref('/alerts')}>All alerts</Link>} flush>
      <ul className={styles['alerts']}>
        {data.slice(0, SHOWN_MAX).map((alert) => (
          <li key={alert.id} className={styles['alert']}>
            <Badge variant={variant}>
              {stateName}: {formatAlertValue(alert.metric, alert.last_value)}
            </Badge>
            <Link href={consoleHref(`/alerts/${alert.id}`)} dir="auto">
              {alert.name}
            </Link>
            <span className="soft">{describeCondition(alert, alert.project_name)}</span>
            <span className={`soft ${styles['since']}`}>
              <Time at={alert.state_since} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
