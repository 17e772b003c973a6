import { createContext, useContext } from 'react';
import type { Permission } from '../api/sign-in.js';

type Alternatives = Permission | `${Permission}|reviews`;
/** What a control needs: all permissions of a list, and of `experiments:create|reviews` one of the two. */
export type Needs = Alternatives | readonly Alternatives[];

/** Says what is missing for a permission, such as "Needs the role Operator"; null if nothing is. */
export type FindDenial = (permission: Permission) => string | null;

/** Without a provider everything is allowed, as for people with full access and on servers without authentication. */
export const DenialContext = createContext<FindDenial>(() => null);

/** A function that says why something is not allowed; null if it is. */
export function useFindDenial(): (needs: Needs) => string | null {
  const find = useContext(DenialContext);
  return (needs) => {
    for (const one of typeof needs === 'string' ? [needs] : needs) {
      const denials = one.split('|').map((permission) => find(permission as Permission));
      // The last alternative is the smallest one.
      if (denials.every((denial) => denial !== null)) return denials.at(-1)!;
    }
    return null;
  };
}

/** Why the person who uses the console may not do this; null if nothing is missing. */
export function useDenial(needs: Needs | undefined): string | null {
  const find = useFindDenial();
  return needs === undefined ? null : find(needs);
}

/** Starts runs of assistants. */
export const RUN: Needs = ['threads:create_run', 'assistants:read'];
/** Gives feedback, and works with annotation queues. */
export const REVIEW: Needs = 'experiments:create|reviews';
/** Makes and changes rules, which act for the person. */
const ACT_AS_RULE = ['experiments:read', 'datasets:read', 'datasets:create'] as const;
export const CREATE_RULE: Needs = ['experiments:create', ...ACT_AS_RULE];
export const UPDATE_RULE: Needs = ['experiments:update', 'experiments:create', ...ACT_AS_RULE];
