import type { Person } from '../api/sign-in.js';

export const ROLE_NAMES: Readonly<Record<Person['role'], string>> = {
  viewer: 'Viewer',
  reviewer: 'Reviewer',
  operator: 'Operator',
  admin: 'Administrator',
};
