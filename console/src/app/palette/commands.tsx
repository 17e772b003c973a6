import { Database, Keyboard, Play, Rows3, SunMoon } from 'lucide-react';
import type { ReactNode } from 'react';
import { setDensity, storedDensity } from '../density.js';
import { SECTIONS } from '../sections.js';
import { setTheme, visibleTheme } from '../theme.js';
import type { Place } from './recent.js';

export interface Command {
  id: string;
  name: string;
  icon: ReactNode;
  /** A page, or else something to do. */
  path?: string;
  run?: () => void;
}

export function commands(openKeys: () => void): Command[] {
  const otherTheme = visibleTheme() === 'dark' ? 'light' : 'dark';
  const otherDensity = storedDensity() === 'compact' ? 'comfortable' : 'compact';
  return [
    { id: 'run', name: 'Start a run', icon: <Play size={16} aria-hidden />, path: '/run' },
    { id: 'dataset', name: 'New dataset', icon: <Database size={16} aria-hidden />, path: '/datasets?new=true' },
    {
      id: 'theme',
      name: `Switch to ${otherTheme} theme`,
      icon: <SunMoon size={16} aria-hidden />,
      run: () => setTheme(otherTheme),
    },
    {
      id: 'density',
      name: `Switch to ${otherDensity} density`,
      icon: <Rows3 size={16} aria-hidden />,
      run: () => setDensity(otherDensity),
    },
    { id: 'keys', name: 'Keyboard shortcuts', icon: <Keyboard size={16} aria-hidden />, run: openKeys },
  ];
}

/** Pages of the menu, and tabs that people look for by name. */
export const PAGES: readonly Place[] = [
  { name: 'Home', path: '/' },
  ...SECTIONS.map(({ name, path }) => ({ name, path })),
  { name: 'Server: queue', path: '/server?tab=queue' },
  { name: 'Server: storage', path: '/server?tab=storage' },
  { name: 'Server: webhooks', path: '/server?tab=webhooks' },
  { name: 'Server: backups', path: '/server?tab=backups' },
  { name: 'Server: API keys', path: '/server?tab=keys' },
].map((page) => ({ ...page, kind: 'Page' }));
