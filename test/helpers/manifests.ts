import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from './server.js';

/** Deployment files of a cluster, from the root of the repository. */
const FOLDER = 'packaging/cluster';
export const COMPOSE_FILE = `${FOLDER}/compose.yaml`;
export const HAPROXY_FILE = `${FOLDER}/haproxy.cfg`;
export const KUBERNETES_FILES = ['postgres', 'secret', 'threadmill'].map((name) => `${FOLDER}/kubernetes/${name}.yaml`);

export interface ComposeService {
  image: string;
  ports?: string[];
  environment?: Record<string, string>;
  restart: string;
  stop_grace_period?: string;
  deploy?: { replicas: number };
  volumes?: string[];
  depends_on?: unknown;
}

export interface ComposeFile {
  services: Record<'postgres' | 'node' | 'balancer', ComposeService>;
  volumes: Record<string, unknown>;
}

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

export const readManifest = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The compose file with the variables of its user in their places. Throws when one is missing that it requires. */
export function readCompose(env: Readonly<Record<string, string>>): ComposeFile {
  const text = readManifest(COMPOSE_FILE).replace(
    /\$\{(\w+):([?-])([^}]*)\}/g,
    (_, name: string, kind: string, rest: string) => {
      const value = env[name] ?? (kind === '-' ? rest : undefined);
      if (value === undefined) throw new Error(`${name}: ${rest}`);
      return value;
    },
  );
  return parse(text) as ComposeFile;
}

/** The objects of the Kubernetes files, or of one of them. Throws on YAML that is not valid. */
export function readKubernetes(files: readonly string[] = KUBERNETES_FILES): KubernetesObject[] {
  return files.flatMap((file) =>
    parseAllDocuments(readManifest(file)).map((document) => {
      for (const error of document.errors) throw error;
      return document.toJS() as KubernetesObject;
    }),
  );
}

export function findObject<T>(kind: string, name: string): T {
  const found = readKubernetes().find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found as T;
}

/** What the image adds: the environment, and the arguments of a container that names none. */
export function readImage(): { env: Record<string, string>; args: string[] } {
  const text = readFileSync(join(ROOT, 'packaging/Dockerfile'), 'utf8');
  const last = text.slice(text.lastIndexOf('\nFROM'));
  const pairs = [...last.matchAll(/^ENV (.+)$/gm)].flatMap(([, line]) =>
    line!.split(' ').map((pair) => pair.split('=') as [string, string]),
  );
  return { env: Object.fromEntries(pairs), args: JSON.parse(/^CMD (\[.+\])$/m.exec(last)![1]!) as string[] };
}
