import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/free-port.js";
import { GENESIS, ROOT, type RunningNode, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

/** The inputs of a node of a test network. */
export interface NetworkNodeSettings {
  readonly bootnodes?: readonly string[];
  readonly words?: readonly string[];
  /** Lines of the configuration file; by default a separate chain and a protocol of notes. */
  readonly chain?: readonly string[];
}

/** Starts a node on the network `dev`. */
export function startOnDev(settings: Omit<NetworkNodeSettings, "chain"> = {}) {
  return NetworkNode.start({
    ...settings,
    chain: ['network = "dev"', 'rpc-http-api = ["ADMIN", "NET", "ETH", "MINER", "PLINTH"]'],
  });
}

/** A node process with peers, which can be killed and restarted. */
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

  /** Starts a node on a free port, on 127.0.0.1. */
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

  /** Kills the process, and starts another with the same data and port. */
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

/** Waits until a condition is true; returns how long that took. */
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
