import '../components/tokens.css';
import '../components/base.css';
import { createRoot } from 'react-dom/client';
import { parseJson } from '../api/json.js';
import type { SavedComparison } from '../pages/datasets/compare/saved.js';
import { Report } from './report.js';

/** Entry of a saved comparison. All data is in the page, so it sends no requests. */
const text = document.getElementById('data')!.textContent ?? '';
const saved = readOrNull(text);
createRoot(document.getElementById('report')!).render(
  saved === null ? (
    <main>
      <h1>No comparison</h1>
      <p>This file is the empty template for saved comparisons. Save a comparison from the console.</p>
    </main>
  ) : (
    <Report saved={saved} />
  ),
);

function readOrNull(json: string): SavedComparison | null {
  try {
    return parseJson(json) as SavedComparison;
  } catch {
    return null;
  }
}
