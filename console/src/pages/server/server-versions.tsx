import { useInfo } from '../../shared/use-info.js';

/** Versions of the server and of LangGraph. */
export function ServerVersions() {
  const info = useInfo();
  if (info === undefined) return <>&nbsp;</>;
  return (
    <>
      Threadmill {info.metadata.version}
      {info.langgraph_js_version === null ? '' : `, LangGraph ${info.langgraph_js_version}`}
    </>
  );
}
