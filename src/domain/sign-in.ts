import { isObject, type JsonObject } from '../base/json/json.js';
import { highestRole, ROLES, type Role } from './roles.js';

/** `auth.oidc` of langgraph.json, as far as it decides who may sign in, and as what. */
export interface SignInRules {
  /** Claim with the groups of a person; null: everybody has the default role. */
  roleClaim: string | null;
  /** Values of the claim that give a role. */
  roleValues: Readonly<Partial<Record<Role, readonly string[]>>>;
  /** Role of people whom the claim gives none; null: they may not sign in. */
  defaultRole: Role | null;
  /** Lower-case domains of verified email addresses; null: all, also people without an address. */
  allowedDomains: readonly string[] | null;
}

/** What an identity provider says about a person, reduced to what the server uses. */
export interface Person {
  /** Id at the provider, which never changes. */
  subject: string;
  name: string;
  email: string | null;
  /** The provider has checked that the address belongs to the person. */
  emailVerified: boolean;
  /** Values of the role claim. */
  groups: readonly string[];
}

/** Why a person may not sign in. The console has a sentence for each. */
export type RefusalReason = 'domain' | 'role';

const NAME_CHARS_MAX = 200;
const GROUPS_MAX = 1_000;

/** Reads the claims of an ID token. Text that people choose is cut to a length that fits into a page. */
export function personOf(claims: JsonObject, roleClaim: string | null): Person {
  const text = (name: string): string | null => {
    const value = claims[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, NAME_CHARS_MAX) : null;
  };
  const email = text('email');
  const subject = String(claims['sub']);
  return {
    subject,
    name: text('name') ?? text('preferred_username') ?? email ?? subject.slice(0, NAME_CHARS_MAX),
    email,
    emailVerified: claims['email_verified'] === true,
    groups: roleClaim === null ? [] : groupsOf(claims, roleClaim),
  };
}

/** True if the ID token lacks something that decides who the person is, which the UserInfo endpoint may have. */
export function lacksClaims(claims: JsonObject, { roleClaim, allowedDomains }: SignInRules): boolean {
  if (roleClaim !== null && claimAt(claims, roleClaim) === undefined) return true;
  if (allowedDomains !== null && claims['email_verified'] === undefined) return true;
  return claims['name'] === undefined && claims['email'] === undefined;
}

/** The role of a person, or why they may not sign in. */
export function decideRole(person: Person, rules: SignInRules): Role | RefusalReason {
  const { allowedDomains, roleClaim, roleValues, defaultRole } = rules;
  if (allowedDomains !== null) {
    const domain = person.emailVerified ? person.email?.toLowerCase().split('@').at(-1) : undefined;
    if (domain === undefined || !allowedDomains.includes(domain)) return 'domain';
  }
  // Some providers let people enter any address, so one that is not verified gives nobody a role.
  const counts = roleClaim !== 'email' || person.emailVerified;
  const given = counts ? ROLES.filter((role) => roleValues[role]?.some((one) => person.groups.includes(one))) : [];
  return highestRole(given) ?? defaultRole ?? 'role';
}

function groupsOf(claims: JsonObject, roleClaim: string): string[] {
  const value = claimAt(claims, roleClaim);
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one): one is string => typeof one === 'string').slice(0, GROUPS_MAX);
}

/** The claim with this name, or at this path, such as `realm_access.roles`. Names may contain dots themselves. */
function claimAt(claims: JsonObject, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}
