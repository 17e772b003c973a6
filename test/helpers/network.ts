import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

interface Test {
  teardown(callback: () => unknown): void;
}

/**
 * A network of hosts on this machine: one namespace for each, joined by a bridge in another one. This process reaches
 * all of them. What is cut is lost silently, as when a cable is pulled.
 */
export class TestNetwork {
  readonly #hosts: TestHost[] = [];
  readonly #names: string[] = [];
  /** Names of interfaces have at most 15 characters. */
  readonly #id = `tm${process.pid}`;
  /** Three bytes of the addresses. A test process has its own. */
  readonly #subnet = `10.${100 + ((process.pid >> 8) & 127)}.${process.pid & 255}`;

  private constructor() {
    this.#addNamespace('hub');
    ip('-n', `${this.#id}-hub`, 'link', 'add', 'bridge', 'type', 'bridge');
    ip('-n', `${this.#id}-hub`, 'link', 'set', 'bridge', 'up');
    ip('link', 'add', this.#id, 'type', 'veth', 'peer', 'name', 'test', 'netns', `${this.#id}-hub`);
    ip('-n', `${this.#id}-hub`, 'link', 'set', 'test', 'master', 'bridge', 'up');
    ip('address', 'add', `${this.#subnet}.1/24`, 'dev', this.#id);
    ip('link', 'set', this.#id, 'up');
  }

  /** Ends with the test. Throws where namespaces are not possible. */
  static open(t: Test): TestNetwork {
    try {
      removeLeftNamespaces();
      const network = new TestNetwork();
      t.teardown(() => network.#close());
      return network;
    } catch (error) {
      throw new Error(
        'The tests of partitions need network namespaces: run them as root on Linux, with iproute2 (apt-get install iproute2)',
        { cause: error },
      );
    }
  }

  addHost(): TestHost {
    const number = this.#hosts.length + 2;
    const name = this.#addNamespace(String(number));
    const link = `${this.#id}h${number}`;
    ip('link', 'add', link, 'netns', `${this.#id}-hub`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('-n', `${this.#id}-hub`, 'link', 'set', link, 'master', 'bridge', 'up');
    const host = new TestHost(name, `${this.#subnet}.${number}`);
    this.#hosts.push(host);
    return host;
  }

  /** Nothing is cut any more. */
  restore(): void {
    for (const host of this.#hosts) host.restore();
  }

  /** An address that hosts can take and give up. */
  get sharedAddress(): string {
    return `${this.#subnet}.254`;
  }

  /** Moves the shared address. All hosts notice at once. */
  moveSharedAddress(from: TestHost | null, to: TestHost): void {
    from?.run('address', 'delete', `${this.sharedAddress}/32`, 'dev', 'eth0');
    to.run('address', 'add', `${this.sharedAddress}/32`, 'dev', 'eth0');
    for (const host of this.#hosts) host.run('neighbour', 'flush', 'to', this.sharedAddress, 'dev', 'eth0');
    ip('neighbour', 'flush', 'to', this.sharedAddress, 'dev', this.#id);
  }

  #addNamespace(name: string): string {
    const full = `${this.#id}-${name}`;
    ip('netns', 'add', full);
    this.#names.push(full);
    return full;
  }

  #close(): void {
    for (const name of this.#names) ip('netns', 'delete', name);
  }
}

/** A host of a test network. */
export class TestHost {
  readonly address: string;
  /** A command that runs another one on this host. It becomes that command, so signals reach it. */
  readonly prefix: readonly string[];
  readonly #name: string;
  readonly #cut = new Set<string>();

  /** Call `TestNetwork.addHost`. */
  constructor(name: string, address: string) {
    this.#name = name;
    this.address = address;
    this.prefix = ['ip', 'netns', 'exec', name];
    this.run('link', 'set', 'lo', 'up');
    this.run('address', 'add', `${address}/24`, 'dev', 'eth0');
    this.run('link', 'set', 'eth0', 'up');
  }

  /** Loses everything that this host sends to the address, until `restore`. */
  cut(address: string): void {
    this.#cut.add(address);
    // Nobody has this hardware address.
    this.run('neighbour', 'replace', address, 'lladdr', '02:00:00:00:00:ff', 'nud', 'permanent', 'dev', 'eth0');
  }

  restore(): void {
    for (const address of this.#cut) this.run('neighbour', 'delete', address, 'dev', 'eth0');
    this.#cut.clear();
  }

  /** Runs the program ip on this host. */
  run(...args: string[]): void {
    ip('-n', this.#name, ...args);
  }
}

/** Those of test processes that were killed. */
function removeLeftNamespaces(): void {
  for (const [name, pid] of ip('netns', 'list').matchAll(/^tm(\d+)-\w+/gm))
    if (!existsSync(`/proc/${pid}`)) ip('netns', 'delete', name);
}

function ip(...args: string[]): string {
  return execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
}
