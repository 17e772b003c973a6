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
import { nameOf, type Recipe } from './requests.js';

/** Every recipe, by the name of its route. */
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

/** Routes to walk: those that ask which user it is. The same one under another prefix has the same handler and the same action. */
export const walked: readonly Route[] = routes.filter(
  ({ action, alias }) => action !== 'public' && !isForOperators(action) && !alias,
);

/** A route with how it is walked. */
export interface Stage {
  name: string;
  route: Route;
  recipe: Recipe;
}

/** All routes in the order in which they can be walked: what takes records away comes last. Throws when one has no recipe. */
export function stages(): Stage[] {
  const known = walked.map((route): Stage => {
    const name = nameOf(route);
    const recipe = recipes[name];
    if (recipe === undefined) throw new Error(`${name} has no recipe in src/cli/walk: it would not be walked`);
    return { name, route, recipe };
  });
  return known.toSorted((a, b) => (a.recipe.ends ?? 0) - (b.recipe.ends ?? 0));
}
