import { RulesPage } from './rules-page.js';

export default function Routes() {
  return <RulesPage />;
}
