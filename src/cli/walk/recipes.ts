import { isForOperators } from '../../domain/actions.js';
import { routes } from '../../http/routes/index.js';
import type { Route } from '../../http/route.js';
import { agentRecipes } from './recipes-agent.js';
import { assistantRecipes } from './recipes-assistants.js';
import { cronRecipes } from './recipes-crons.js';
import { evaluationRecipes } from './recipes-evaluation.js';
import { graphRecipes } from './recipes-graphs.js';
import { protocolRecipes } from './recipes-protocols.js';
import { runRecipes } from './recipes-runs.js';
import { storeRecipes } from './recipes-store.js';
import { threadChangeRecipes } from './recipes-thread-changes.js';
import { threadRecipes } from './recipes-threads.js';
import { webhookRecipes } from './recipes-webhooks.js';
import { routeName, type Recipe } from './requests.js';

/** All recipes by the name of their route. */
export const recipes: Readonly<Record<string, Recipe>> = {
  ...agentRecipes,
  ...runRecipes,
  ...assistantRecipes,
  ...graphRecipes,
  ...threadRecipes,
  ...threadChangeRecipes,
  ...storeRecipes,
  ...cronRecipes,
  ...webhookRecipes,
  ...protocolRecipes,
  ...evaluationRecipes,
};

/**
 * The routes to walk: those that depend on the user. Aliases under another prefix are left out, because they share
 * handler and action with the walked route.
 */
export const walkedRoutes: readonly Route[] = routes.filter(
  ({ action, alias }) => action !== 'public' && !isForOperators(action) && !alias,
);

/** A route and its recipe. */
export interface WalkStep {
  name: string;
  route: Route;
  recipe: Recipe;
}

/** All routes in walking order: routes that remove records come last. Throws if a route has no recipe. */
export function walkSteps(): WalkStep[] {
  const known = walkedRoutes.map((route): WalkStep => {
    const name = routeName(route);
    const recipe = recipes[name];
    if (recipe === undefined) throw new Error(`${name} has no recipe. Add one in src/cli/walk, so that it is walked.`);
    return { name, route, recipe };
  });
  return known.toSorted((a, b) => (a.recipe.destructiveOrder ?? 0) - (b.recipe.destructiveOrder ?? 0));
}
