import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, type Hex, hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { freePort } from "../support/free-port.js";
import { ROOT, type RunningNode, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { TcpGate } from "./tcp-gate.js";

/** An account funded by the genesis file, and its key. */
export const RICH = {
  address: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
  privateKey: "0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63",
} as const;

const SHIFT_CLOCK = join(ROOT, "test/support/shift-clock.mjs");

const EXTRA_DATA = { qbft: qbftExtraData, ibft2: ibftExtraData } as const;

/** The inputs of a network. */
export interface ValidatorNetworkSettings {
  /** Nodes whose addresses are in the genesis file. */
  readonly validators: number;
  /** The key of the engine in the genesis file, `qbft` by default. */
  readonly engine?: keyof typeof EXTRA_DATA;
  /** Nodes beside them. */
  readonly others?: number;
  /** Members of the engine's settings. */
  readonly settings?: object;
  /** Members of `config`. */
  readonly config?: object;
  readonly alloc?: object;
  /** A given genesis file and keys, instead of generated ones. */
  readonly given?: { readonly genesis: object; readonly keys: readonly Hex[] };
  readonly words?: readonly string[];
  /** The static peers of a node; all others by default. */
  readonly peersOf?: (index: number) => readonly number[];
  /** Whether connections can be cut with `partition`. */
  readonly isGated?: boolean;
  /** Milliseconds by which the clock of each node is ahead. */
  readonly clocksAheadMs?: readonly number[];
}

/** A node process of the network that can be killed and restarted. */
export interface ValidatorNode {
  readonly address: Address;
  readonly enode: string;
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  height(): Promise<number>;
  output(): string;
  /** Sets lines of a configuration file, and variables, for its next start. */
  configure(lines: readonly string[], environment?: Readonly<Record<string, string>>): void;
  /** A path in its folder. */
  file(name: string): string;
  /** Changes the genesis file for its next start. */
  changeGenesis(change: (genesis: { config: object }) => object): void;
  start(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Sends a signal without waiting. */
  signal(signal: NodeJS.Signals): void;
  /** Sets the key of another node for its next start. */
  useKeyOf(other: ValidatorNode): void;
  /** Deletes the data of a stopped node; its key stays. */
  wipe(): void;
  readonly isRunning: boolean;
  /** The address of a running node. */
  readonly urls: { readonly http: string; readonly ws: string };
}

/** Processes on one machine that know each other as static peers; the caller starts them. */
export class ValidatorNetwork implements AsyncDisposable {
  readonly nodes: readonly ValidatorNode[];
  readonly #folders: readonly TemporaryFolder[];
  readonly #gates: readonly Gate[];

  private constructor(
    nodes: readonly ValidatorNode[],
    folders: readonly TemporaryFolder[],
    gates: readonly Gate[],
  ) {
    this.nodes = nodes;
    this.#folders = folders;
    this.#gates = gates;
  }

  static async create(settings: ValidatorNetworkSettings): Promise<ValidatorNetwork> {
    const crypto = await loadCrypto();
    const count = settings.validators + (settings.others ?? 0);
    const keys =
      settings.given?.keys ?? Array.from({ length: count }, (_, index) => keyOf(index + 1));
    const addresses = keys.map((key) => crypto.addressOf(crypto.publicKeyOf(hexToBytes(key))));
    const ports: number[] = [];
    for (const _ of keys) ports.push(await freePort());
    const gates = settings.isGated === true ? await openGates(ports) : [];
    const enodeOf = (index: number, from?: number) => {
      const id = toHex(crypto.publicKeyOf(hexToBytes(keys[index] ?? "0x"))).slice(2);
      const gate = gates.find((each) => each.from === from && each.to === index);
      return `enode://${id}@127.0.0.1:${gate?.gate.port ?? ports[index]}`;
    };
    const validators = addresses.slice(0, settings.validators);
    const genesis = settings.given?.genesis ?? genesisOf(settings, validators);
    const folders = keys.map(() => temporaryFolder());
    const nodes = folders.map((folder, index) => {
      writeFileSync(folder.file("key"), keys[index] ?? "");
      writeFileSync(folder.file("genesis.json"), JSON.stringify(genesis));
      const peers = settings.peersOf?.(index) ?? [...keys.keys()].filter((each) => each !== index);
      const others = peers.map((other) => enodeOf(other, index));
      writeFileSync(folder.file("static-nodes.json"), JSON.stringify(others));
      const words = [
        `--genesis-file=${folder.file("genesis.json")}`,
        `--node-private-key-file=${folder.file("key")}`,
        `--static-nodes-file=${folder.file("static-nodes.json")}`,
        `--p2p-port=${ports[index]}`,
        "--p2p-interface=127.0.0.1",
        "--nat-method=NONE",
        "--discovery-enabled=false",
        "--rpc-http-enabled",
        "--min-gas-price=0",
        ...(settings.words ?? [`--rpc-http-api=ETH,NET,ADMIN,PLINTH,TXPOOL,${apiOf(settings)}`]),
      ];
      return new ProcessNode(folder, words, {
        address: addresses[index] ?? "0x",
        enode: enodeOf(index),
        clockAheadMs: settings.clocksAheadMs?.[index] ?? 0,
      });
    });
    return new ValidatorNetwork(nodes, folders, gates);
  }

  /** Partitions the network in two; nodes that are not listed are in the other half. */
  partition(half: readonly number[]): void {
    for (const { from, to, gate } of this.#gates) {
      if (half.includes(from) !== half.includes(to)) gate.close();
    }
  }

  heal(): void {
    for (const { gate } of this.#gates) gate.open();
  }

  async startAll(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.start()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.filter((node) => node.isRunning).map((node) => node.kill()));
    for (const { gate } of this.#gates) await gate[Symbol.asyncDispose]();
    for (const folder of this.#folders) folder[Symbol.dispose]();
  }
}

/** The connection from one node to another. */
interface Gate {
  readonly from: number;
  readonly to: number;
  readonly gate: TcpGate;
}

async function openGates(ports: readonly number[]): Promise<readonly Gate[]> {
  const gates: Gate[] = [];
  for (const [to, port] of ports.entries()) {
    for (const from of ports.keys()) {
      if (from !== to) gates.push({ from, to, gate: await TcpGate.to(port) });
    }
  }
  return gates;
}

interface ClockSetting {
  /** Milliseconds by which its clock is ahead. */
  readonly clockAheadMs: number;
}

class ProcessNode implements ValidatorNode {
  readonly address: Address;
  readonly enode: string;
  readonly #folder: TemporaryFolder;
  readonly #words: readonly string[];
  #running: RunningNode | undefined;
  #environment: Readonly<Record<string, string>> = {};
  #printed = "";

  constructor(
    folder: TemporaryFolder,
    words: readonly string[],
    { address, enode, clockAheadMs }: Pick<ValidatorNode, "address" | "enode"> & ClockSetting,
  ) {
    this.#folder = folder;
    this.#words = words;
    this.address = address;
    this.enode = enode;
    if (clockAheadMs !== 0) {
      this.#environment = {
        SHIFT_CLOCK_MS: String(clockAheadMs),
        NODE_OPTIONS: `--import=${SHIFT_CLOCK}`,
      };
    }
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get urls() {
    const { url: http, wsUrl: ws } = this.#getRunning();
    return { http, ws };
  }

  async rpc(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.#getRunning().rpc(method, params);
  }

  async height(): Promise<number> {
    return Number(await this.rpc("eth_blockNumber"));
  }

  output(): string {
    return this.#printed + (this.#running?.output() ?? "");
  }

  file(name: string): string {
    return this.#folder.file(name);
  }

  configure(lines: readonly string[], environment: Readonly<Record<string, string>> = {}): void {
    writeFileSync(this.#folder.file("plinth.config.toml"), `${lines.join("\n")}\n`);
    this.#environment = { ...this.#environment, ...environment };
  }

  changeGenesis(change: (genesis: { config: object }) => object): void {
    const file = this.#folder.file("genesis.json");
    const genesis = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify(change(genesis)));
  }

  async start(): Promise<void> {
    this.#running = await startNode(this.#words, {
      folder: this.#folder.path,
      environment: { PLINTH_P2P_ENABLED: "true", ...this.#environment },
    });
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#printed += running?.output() ?? "";
    await running?.stop(signal);
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#running !== undefined) process.kill(this.#running.pid, signal);
  }

  useKeyOf(other: ValidatorNode): void {
    writeFileSync(this.file("key"), readFileSync(other.file("key")));
  }

  wipe(): void {
    this.#folder.remove("data");
  }

  #getRunning(): RunningNode {
    if (this.#running === undefined) throw new Error(`the node ${this.address} is down`);
    return this.#running;
  }
}

/** Keys of a test network; node `1` has the first. */
export function keyOf(number: number): Hex {
  return `0x${number.toString(16).padStart(64, "0")}`;
}

function genesisOf(settings: ValidatorNetworkSettings, validators: readonly Address[]): object {
  const { engine = "qbft" } = settings;
  return {
    config: {
      chainId: 1337,
      londonBlock: 0,
      zeroBaseFee: true,
      ...settings.config,
      [engine]: {
        blockPeriodSeconds: 1,
        epochLength: 30_000,
        requestTimeoutSeconds: 2,
        ...settings.settings,
      },
    },
    nonce: "0x0",
    timestamp: "0x58ee40ba",
    gasLimit: "0x1fffffffffffff",
    difficulty: "0x1",
    mixHash: "0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365",
    coinbase: `0x${"00".repeat(20)}`,
    extraData: toHex(EXTRA_DATA[engine].encodeGenesis(validators)),
    alloc: {
      [RICH.address]: { balance: "0x200000000000000000000000000000000" },
      ...settings.alloc,
    },
  };
}

function apiOf({ engine = "qbft" }: ValidatorNetworkSettings): string {
  return engine === "qbft" ? "QBFT" : "IBFT,QBFT";
}
