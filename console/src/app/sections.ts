import type { ComponentType } from 'react';
import {
  Activity,
  Bell,
  BookOpen,
  Bot,
  Clock,
  Database,
  FlaskConical,
  ListChecks,
  MessagesSquare,
  Play,
  Route,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import { RUN, useFindDenial, type Needs } from '../components/needs.js';
import { lazyPage } from '../components/lazy-component.js';
import { FiringCount } from './firing-count.js';

/** A menu entry with routes below its path. The code is loaded when the section is first opened. */
export interface Section {
  path: string;
  /** One of these shows the section in the menu, in search and to keys. */
  needs: readonly Needs[];
  name: string;
  /** After `g`, this letter opens the page. */
  key: string;
  group: 'Deployment' | 'Evaluation' | 'Operation';
  icon: LucideIcon;
  /** Shown beside the name, and on narrow screens beside the button of the menu. */
  count?: ComponentType;
  /** Renders its routes, relative to `path`. */
  routes: ComponentType;
}

function lazyRoutes(load: () => Promise<{ default: ComponentType }>): ComponentType {
  return lazyPage(async () => (await load()).default);
}

/** The first page, above the groups of the menu. */
export const HomeRoutes = lazyRoutes(() => import('../pages/home/routes.js'));

/** Components in all their states, in the development build only (`npm run console`). */
export const GalleryRoutes = HAS_GALLERY ? lazyRoutes(() => import('../pages/gallery/routes.js')) : null;

/** Outside the menu: people who follow a share link have no access to the rest. */
export const PublicRoutes = lazyRoutes(() => import('../pages/public/routes.js'));

export const SECTIONS: readonly Section[] = [
  {
    path: '/threads',
    needs: ['threads:search'],
    name: 'Threads',
    key: 't',
    group: 'Deployment',
    icon: MessagesSquare,
    routes: lazyRoutes(() => import('../pages/threads/routes.js')),
  },
  {
    path: '/run',
    needs: [RUN],
    name: 'Run',
    key: 'r',
    group: 'Deployment',
    icon: Play,
    routes: lazyRoutes(() => import('../pages/run/routes.js')),
  },
  {
    path: '/assistants',
    needs: ['assistants:search'],
    name: 'Assistants',
    key: 'a',
    group: 'Deployment',
    icon: Bot,
    routes: lazyRoutes(() => import('../pages/assistants/routes.js')),
  },
  {
    path: '/crons',
    needs: ['crons:search'],
    name: 'Crons',
    key: 'c',
    group: 'Deployment',
    icon: Clock,
    routes: lazyRoutes(() => import('../pages/crons/routes.js')),
  },
  {
    path: '/store',
    needs: ['store:search'],
    name: 'Memory',
    key: 'm',
    group: 'Deployment',
    icon: BookOpen,
    routes: lazyRoutes(() => import('../pages/store/routes.js')),
  },
  {
    path: '/traces',
    needs: ['experiments:search'],
    name: 'Traces',
    key: 'x',
    group: 'Evaluation',
    icon: Route,
    routes: lazyRoutes(() => import('../pages/traces/routes.js')),
  },
  {
    path: '/datasets',
    needs: ['datasets:search'],
    name: 'Datasets',
    key: 'd',
    group: 'Evaluation',
    icon: Database,
    routes: lazyRoutes(() => import('../pages/datasets/routes.js')),
  },
  {
    path: '/experiments',
    needs: ['experiments:search'],
    name: 'Experiments',
    key: 'e',
    group: 'Evaluation',
    icon: FlaskConical,
    routes: lazyRoutes(() => import('../pages/experiments/routes.js')),
  },
  {
    path: '/queues',
    needs: ['experiments:search'],
    name: 'Annotation queues',
    key: 'q',
    group: 'Evaluation',
    icon: ListChecks,
    routes: lazyRoutes(() => import('../pages/queues/routes.js')),
  },
  {
    path: '/alerts',
    needs: ['experiments:search'],
    name: 'Alerts',
    key: 'l',
    group: 'Evaluation',
    icon: Bell,
    count: FiringCount,
    routes: lazyRoutes(() => import('../pages/alerts/routes.js')),
  },
  {
    path: '/rules',
    needs: ['experiments:search'],
    name: 'Rules',
    key: 'u',
    group: 'Evaluation',
    icon: Workflow,
    routes: lazyRoutes(() => import('../pages/rules/routes.js')),
  },
  {
    path: '/server',
    needs: ['server:read', 'metrics:read', 'threads:search', 'server:keys', 'server:audit'],
    name: 'Server',
    key: 's',
    group: 'Operation',
    icon: Activity,
    routes: lazyRoutes(() => import('../pages/server/routes.js')),
  },
];

/** The sections that the person who uses the console may see. */
export function useSections(): readonly Section[] {
  const findDenial = useFindDenial();
  return SECTIONS.filter(({ needs }) => needs.some((one) => findDenial(one) === null));
}
