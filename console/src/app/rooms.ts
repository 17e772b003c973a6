import { lazy, type ComponentType } from 'react';
import {
  Activity,
  BookOpen,
  Bot,
  Clock,
  Database,
  FlaskConical,
  MessagesSquare,
  Play,
  type LucideIcon,
} from 'lucide-react';
import { PartMissing } from './part-missing.js';

/** A room has a place in the menu and its own routes below its path; its code is loaded when somebody goes there. */
export interface Room {
  path: string;
  name: string;
  group: 'Deployment' | 'Evaluation' | 'Operation';
  icon: LucideIcon;
  /** Renders its routes, relative to `path`. */
  routes: ComponentType;
}

function part(load: () => Promise<{ default: ComponentType }>): ComponentType {
  return lazy(() =>
    load().catch((error: unknown) => {
      throw new PartMissing(error);
    }),
  );
}

export const ROOMS: readonly Room[] = [
  {
    path: '/threads',
    name: 'Threads',
    group: 'Deployment',
    icon: MessagesSquare,
    routes: part(() => import('../pages/threads/routes.js')),
  },
  { path: '/run', name: 'Run', group: 'Deployment', icon: Play, routes: part(() => import('../pages/run/routes.js')) },
  {
    path: '/assistants',
    name: 'Assistants',
    group: 'Deployment',
    icon: Bot,
    routes: part(() => import('../pages/assistants/routes.js')),
  },
  {
    path: '/crons',
    name: 'Crons',
    group: 'Deployment',
    icon: Clock,
    routes: part(() => import('../pages/crons/routes.js')),
  },
  {
    path: '/store',
    name: 'Memory',
    group: 'Deployment',
    icon: BookOpen,
    routes: part(() => import('../pages/store/routes.js')),
  },
  {
    path: '/datasets',
    name: 'Datasets',
    group: 'Evaluation',
    icon: Database,
    routes: part(() => import('../pages/datasets/routes.js')),
  },
  {
    path: '/experiments',
    name: 'Experiments',
    group: 'Evaluation',
    icon: FlaskConical,
    routes: part(() => import('../pages/experiments/routes.js')),
  },
  {
    path: '/server',
    name: 'Server',
    group: 'Operation',
    icon: Activity,
    routes: part(() => import('../pages/server/routes.js')),
  },
];
