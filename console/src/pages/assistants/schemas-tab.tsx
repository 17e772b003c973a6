import { JsonTree } from '../../components/json-tree.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { useSchemas } from '../../shared/assistant-schemas.js';
import styles from './assistants.module.css';

const SCHEMAS = [
  ['input_schema', 'Input'],
  ['output_schema', 'Output'],
  ['state_schema', 'State'],
  ['config_schema', 'Configuration'],
  ['context_schema', 'Context'],
] as const;

/** JSON schemas of the graph. */
export function SchemasTab({ id }: { id: string }) {
  const { data, error, isLoading, refetch } = useSchemas(id);
  if (isLoading) return <Loading />;
  if (data === undefined) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return (
    <div className={styles['trees']}>
      {SCHEMAS.map(([field, name]) => {
        const schema = data[field] as unknown;
        return (
          <Panel key={field} title={name}>
            {schema === undefined || schema === null ? (
              <p className="soft">The graph has no schema for this.</p>
            ) : (
              <JsonTree label={`Schema: ${name}`} value={schema} openTo={4} />
            )}
          </Panel>
        );
      })}
    </div>
  );
}
