/** `lost`: it has not shown that it lives for longer than another node waits before it takes over. */
export const NODE_ROLES = ['owner', 'standby', 'loading', 'lost'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];
