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
    routes: part(() => import('../rooms/threads/routes.js')),
  },
  { path: '/run', name: 'Run', group: 'Deployment', icon: Play, routes: part(() => import('../rooms/run/routes.js')) },
  {
    path: '/assistants',
    name: 'Assistants',
    group: 'Deployment',
    icon: Bot,
    routes: part(() => import('../rooms/assistants/routes.js')),
  },
  {
    path: '/crons',
    name: 'Crons',
    group: 'Deployment',
    icon: Clock,
    routes: part(() => import('../rooms/crons/routes.js')),
  },
  {
    path: '/store',
    name: 'Memory',
    group: 'Deployment',
    icon: BookOpen,
    routes: part(() => import('../rooms/store/routes.js')),
  },
  {
    path: '/datasets',
    name: 'Datasets',
    group: 'Evaluation',
    icon: Database,
    routes: part(() => import('../rooms/datasets/routes.js')),
  },
  {
    path: '/experiments',
    name: 'Experiments',
    group: 'Evaluation',
    icon: FlaskConical,
    routes: part(() => import('../rooms/experiments/routes.js')),
  },
  {
    path: '/server',
    name: 'Server',
    group: 'Operation',
    icon: Activity,
    routes: part(() => import('../rooms/server/routes.js')),
  },
];
