import type { ReactNode } from 'react';
import { useWhoAmI } from '../api/use-who-am-i.js';
import { DenialContext, type FindDenial } from '../components/needs.js';
import { ROLE_NAMES } from '../shared/roles.js';

/**
 * Tells the controls below what the person or key may not do. The server decides that, also for controls that are
 * enabled: those of users of an auth handler always are.
 */
export function Permissions({ children }: { children: ReactNode }) {
  const caller = useWhoAmI().data?.caller;
  const notAllowed = caller === undefined || caller === null || caller.kind === 'anyone' ? {} : caller.not_allowed;
  const find: FindDenial = (permission) => {
    const role = notAllowed[permission];
    if (role === undefined) return null;
    return caller?.kind === 'person' ? `Needs the role ${ROLE_NAMES[role]}` : `Needs the scope ${permission}`;
  };
  return <DenialContext.Provider value={find}>{children}</DenialContext.Provider>;
}
