import { Database, Keyboard, Play, Rows3, SunMoon } from 'lucide-react';
import type { ReactNode } from 'react';
import { RUN, type Needs } from '../../components/needs.js';
import { setDensity, storedDensity } from '../density.js';
import { SECTIONS } from '../sections.js';
import { setTheme, visibleTheme } from '../theme.js';
import type { Place } from './recent.js';

export interface Command {
  id: string;
  name: string;
  icon: ReactNode;
  needs?: Needs;
  /** A page, or else something to do. */
  path?: string;
  run?: () => void;
}

export function commands(openKeys: () => void): Command[] {
  const otherTheme = visibleTheme() === 'dark' ? 'light' : 'dark';
  const otherDensity = storedDensity() === 'compact' ? 'comfortable' : 'compact';
  return [
    { id: 'run', name: 'Start a run', needs: RUN, icon: <Play size={16} aria-hidden />, path: '/run' },
    {
      id: 'dataset',
      name: 'New dataset',
      needs: 'datasets:create',
      icon: <Database size={16} aria-hidden />,
      path: '/datasets?new=true',
    },
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
export const PAGES: readonly (Place & { needs: readonly Needs[] })[] = [
  { name: 'Home', path: '/', needs: [[]] },
  ...SECTIONS.map(({ name, path, needs }) => ({ name, path, needs })),
  { name: 'Server: queue', path: '/server?tab=queue', needs: ['server:read' as const] },
  { name: 'Server: storage', path: '/server?tab=storage', needs: ['server:read' as const] },
  { name: 'Server: webhooks', path: '/server?tab=webhooks', needs: ['threads:search' as const] },
  { name: 'Server: code', path: '/server?tab=code', needs: ['server:read' as const] },
  { name: 'Server: backups', path: '/server?tab=backups', needs: ['server:read' as const] },
  { name: 'Server: API keys', path: '/server?tab=keys', needs: ['server:keys' as const] },
].map((page) => ({ ...page, kind: 'Page' }));
