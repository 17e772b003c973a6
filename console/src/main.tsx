import './components/tokens.css';
import './components/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { applyTheme } from './app/theme.js';

applyTheme();
createRoot(document.getElementById('console')!).render(<App />);
