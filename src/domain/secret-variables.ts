/** Environment variables that contain or lead to the encryption key of a data folder. */
export const ENCRYPTION_VARIABLES = [
  'THREADMILL_ENCRYPTION_KEY',
  'THREADMILL_ENCRYPTION_KEY_FILE',
  'THREADMILL_ENCRYPTION_KEY_COMMAND',
  'LANGGRAPH_AES_KEY',
] as const;

/** Environment variables that lead into the cluster. */
export const CLUSTER_VARIABLES = ['THREADMILL_CLUSTER', 'THREADMILL_CLUSTER_KEY'] as const;

/** Environment variable with the secret that this server shares with the identity provider. */
export const SIGN_IN_VARIABLE = 'THREADMILL_OIDC_CLIENT_SECRET';

/**
 * The environment of a thread that runs user code. It has no variable that leads to the encryption key, into the
 * cluster or to the identity provider, so that no graph reveals one by accident, such as in a trace of its environment.
 */
export function userCodeEnv(more: Readonly<Record<string, string>>): Record<string, string> {
  const env = { ...process.env, ...more } as Record<string, string>;
  for (const name of [...ENCRYPTION_VARIABLES, ...CLUSTER_VARIABLES, SIGN_IN_VARIABLE]) delete env[name];
  return env;
}
