import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

export interface TabItem {
  id: string;
  name: string;
  count?: number | string;
  content: ReactNode;
}

/** Tabs. Only the selected panel is rendered. */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string;
  tabs: readonly TabItem[];
  value: string;
  onChange: (id: string) => void;
}) {
  return (
    <AriaTabs selectedKey={value} onSelectionChange={(key) => onChange(String(key))} className={styles['tabs']!}>
      <TabList aria-label={label} className={styles['list']!}>
        {tabs.map(({ id, name, count }) => (
          <Tab key={id} id={id} className={styles['tab']!}>
            {name}
            {count === undefined ? null : <span className={styles['count']}>{count}</span>}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles['panel']!}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
