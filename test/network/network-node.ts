import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/free-port.js";
import { GENESIS, ROOT, type RunningNode, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

/** What a node of a test network is started with. */
export interface NetworkNodeSettings {
  readonly bootnodes?: readonly string[];
  readonly words?: readonly string[];
  /** Lines of the configuration file; a chain of its own and a protocol of notes when left out. */
  readonly chain?: readonly string[];
}

/** Starts a node on the network `dev`. */
export function startOnDev(settings: Omit<NetworkNodeSettings, "chain"> = {}) {
  return NetworkNode.start({
    ...settings,
    chain: ['network = "dev"', 'rpc-http-api = ["ADMIN", "NET", "ETH", "MINER", "PLINTH"]'],
  });
}

/** A node with peers, as a process of its own, that can be killed and started again. */
export class NetworkNode implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  readonly #port: number;
  readonly #settings: NetworkNodeSettings;
  #node: RunningNode;

  private constructor(
    node: RunningNode,
    place: { folder: TemporaryFolder; port: number },
    settings: NetworkNodeSettings,
  ) {
    this.#node = node;
    this.#folder = place.folder;
    this.#port = place.port;
    this.#settings = settings;
  }

  /** Starts a node on a port of its own, on 127.0.0.1. */
  static async start(settings: NetworkNodeSettings = {}): Promise<NetworkNode> {
    const place = { folder: temporaryFolder(), port: await freePort() };
    return new NetworkNode(await launch(place, settings), place, settings);
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number {
    return this.#node.pid;
  }

  rpc(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.#node.rpc(method, params);
  }

  output(): string {
    return this.#node.output();
  }

  async enode(): Promise<string> {
    return String(await this.rpc("net_enode"));
  }

  async peerCount(): Promise<number> {
    return Number(await this.rpc("net_peerCount"));
  }

  /** Ends the process at once, and starts another with the same data and port. */
  async killAndRestart(): Promise<void> {
    await this.#node.stop("SIGKILL");
    this.#node = await launch({ folder: this.#folder, port: this.#port }, this.#settings);
  }

  async stop(): Promise<void> {
    await this.#node.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#node.stop();
    this.#folder[Symbol.dispose]();
  }
}

/** Waits until something holds; answers how long that took. */
export async function until(isTrue: () => Promise<boolean>, limitMs: number): Promise<number> {
  const began = Date.now();
  while (!(await isTrue())) {
    if (Date.now() - began > limitMs) throw new Error(`it does not hold after ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return Date.now() - began;
}

const PLUGIN = join(ROOT, "examples/plugin-protocol/dist/index.js");
const NOTES = [
  `plugins = [${JSON.stringify(PLUGIN)}]`,
  `genesis-file = ${JSON.stringify(GENESIS)}`,
  'rpc-http-api = ["ADMIN", "NET", "NOTES", "PLINTH"]',
];

function launch(
  { folder, port }: { folder: TemporaryFolder; port: number },
  { bootnodes = [], words = [], chain = NOTES }: NetworkNodeSettings,
): Promise<RunningNode> {
  const config = folder.file("plinth.toml");
  writeFileSync(
    config,
    [
      ...chain,
      "rpc-http-enabled = true",
      `p2p-port = ${port}`,
      'p2p-interface = "127.0.0.1"',
      'nat-method = "NONE"',
      `bootnodes = ${JSON.stringify(bootnodes)}`,
    ].join("\n"),
  );
  return startNode([`--config-file=${config}`, ...words], {
    folder: folder.path,
    environment: { PLINTH_P2P_ENABLED: "true" },
  });
}
