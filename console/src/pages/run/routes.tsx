import { RunPage } from './run-page.js';

export default function Routes() {
  return <RunPage />;
}
