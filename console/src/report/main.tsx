import '../components/tokens.css';
import '../components/base.css';
import { createRoot } from 'react-dom/client';
import { parseJson } from '../api/json.js';
import type { SavedComparison } from '../pages/datasets/compare/saved.js';
import { Report } from './report.js';

/** A saved comparison: what it shows stands in the page itself, and nothing is asked of anyone. */
const text = document.getElementById('data')!.textContent ?? '';
const saved = readOrNull(text);
createRoot(document.getElementById('report')!).render(
  saved === null ? (
    <main>
      <h1>No comparison</h1>
      <p>This file is what comparisons are saved in; nothing is saved in it.</p>
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
