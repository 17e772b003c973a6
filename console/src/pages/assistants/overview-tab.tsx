import type { Assistant } from '@langchain/langgraph-sdk';
import { CopyableId } from '../../components/copy.js';
import { JsonTree } from '../../components/json-tree.js';
import { DescriptionList, Panel } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { isDefaultAssistant } from './data.js';
import styles from './assistants.module.css';

export function OverviewTab({ assistant }: { assistant: Assistant }) {
  const {
    assistant_id: id,
    graph_id: graph,
    version,
    created_at: created,
    updated_at: updated,
    config,
    context,
    metadata,
  } = assistant;
  return (
    <>
      <Panel title="Details">
        <DescriptionList
          facts={[
            ['ID', <CopyableId key="id" id={id} />],
            ['Graph', <code key="graph">{graph}</code>],
            ['Version', version],
            ['Created', <Time key="created" at={created} />],
            ['Updated', <Time key="updated" at={updated} />],
            ['Created by', isDefaultAssistant(assistant) ? 'System, for the graph in langgraph.json' : 'Client'],
          ]}
        />
      </Panel>
      <div className={styles['trees']}>
        <Panel title="Configuration">
          <JsonTree label="Configuration" value={config} openTo={2} />
        </Panel>
        <Panel title="Context">
          <JsonTree label="Context" value={context} openTo={2} />
        </Panel>
        <Panel title="Metadata">
          <JsonTree label="Metadata" value={metadata} openTo={2} />
        </Panel>
      </div>
    </>
  );
}
