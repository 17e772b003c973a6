import './components/fonts.css';
import './components/tokens.css';
import './components/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { applyDensity } from './app/density.js';
import { applyTheme } from './app/theme.js';

applyTheme();
applyDensity();
createRoot(document.getElementById('console')!).render(<App />);
