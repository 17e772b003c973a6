import type { Assistant } from '@langchain/langgraph-sdk';
import { Id } from '../../components/copy.js';
import { JsonTree } from '../../components/json-tree.js';
import { Facts, Panel } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { isOfGraph } from './data.js';
import styles from './assistants.module.css';

export function OverviewTab({ assistant }: { assistant: Assistant }) {
  const {
    assistant_id: id,
    graph_id: graph,
    version,
    created_at: made,
    updated_at: changed,
    config,
    context,
    metadata,
  } = assistant;
  return (
    <>
      <Panel title="Facts">
        <Facts
          facts={[
            ['Id', <Id key="id" id={id} />],
            ['Graph', <code key="graph">{graph}</code>],
            ['Version', version],
            ['Made', <Time key="made" at={made} />],
            ['Changed', <Time key="changed" at={changed} />],
            ['Made by', isOfGraph(assistant) ? 'its graph in langgraph.json: it comes and goes with it' : 'a client'],
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
