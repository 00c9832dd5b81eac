import { writeFileSync } from "node:fs";
import { type Address, type Hash, type Hex, hexToBytes } from "@plinth/core";
import { signPrivateTransaction } from "@plinth/plugin-privacy/api";
import { readFolder } from "../support/secret-search.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { EnclaveProcess } from "./enclave-process.js";
import { until } from "./network-node.js";
import { TcpGate } from "./tcp-gate.js";
import {
  RICH,
  ValidatorNetwork,
  type ValidatorNetworkSettings,
  type ValidatorNode,
} from "./validator-network.js";

/** Time limit of every step; needed on a busy machine. */
const LIMIT_MS = 60_000;
const CHAIN_ID = 1337n;
/** Most tests wait for one block after the other. */
const BLOCK_PERIOD_MS = 200;
/** The manager whose traffic is recorded. */
const LISTENED = 2;

/** The default signer. */
export const RICH_KEY: Hex = RICH.privateKey;

/** Returns its slot 0, or stores its calldata there and logs it. */
export const STORE_CODE = "0x36600f5760005460005260206000f35b6000358060005560005260206000a000";

/** Init code of a contract with this code. */
export function creationOf(code: string): Hex {
  const length = (code.length - 2) / 2;
  const size = length.toString(16).padStart(2, "0");
  return `0x60${size}600c60003960${size}6000f3${code.slice(2)}`;
}

/** A number as a word of call data. */
export function word(value: number): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** The content of a private transaction, besides its sender. */
export interface PrivateMessage {
  readonly nonce: number;
  readonly to?: Address;
  readonly data: Hex;
  /** Parties by the numbers of their nodes, or the id of a group. */
  readonly for: readonly number[] | string;
  readonly key?: Hex;
  readonly gasLimit?: bigint;
}

/** The receipt of a private transaction, as far as tests read it. */
export interface PrivateReceiptAnswer {
  readonly status: string;
  readonly output: string;
  readonly contractAddress: Address | null;
  readonly privacyGroupId: string;
  readonly revertReason?: string;
  readonly blockNumber: string;
}

/**
 * Three nodes with separate managers and a fourth without privacy, as processes; the first produces
 * the blocks.
 */
export class PrivacyNetwork implements AsyncDisposable {
  readonly nodes: readonly ValidatorNode[];
  readonly managers: readonly EnclaveProcess[];
  readonly #network: ValidatorNetwork;
  readonly #folder: TemporaryFolder;
  readonly #wire: Wire;

  private constructor(
    network: ValidatorNetwork,
    parts: {
      readonly managers: readonly EnclaveProcess[];
      readonly folder: TemporaryFolder;
      readonly wire: Wire;
    },
  ) {
    this.#network = network;
    this.nodes = network.nodes;
    this.managers = parts.managers;
    this.#folder = parts.folder;
    this.#wire = parts.wire;
  }

  /** Starts all of it. */
  static async start(
    settings: {
      readonly words?: readonly string[];
      readonly enclave?: string;
      readonly network?: Partial<ValidatorNetworkSettings>;
    } = {},
  ): Promise<PrivacyNetwork> {
    const folder = temporaryFolder();
    const wire = new Wire();
    const managers = await EnclaveProcess.create(
      folder,
      3,
      settings.enclave,
      async (index, port) => (index === LISTENED ? wire.open(port) : port),
    );
    const network = await ValidatorNetwork.create({
      validators: 1,
      others: 3,
      words: [
        "--rpc-http-api=ETH,NET,ADMIN,PLINTH,TXPOOL,QBFT,EEA,PRIV",
        "--rpc-ws-enabled",
        "--rpc-ws-api=ETH,EEA,PRIV",
        ...(settings.words ?? []),
      ],
      settings: { xBlockPeriodMilliseconds: BLOCK_PERIOD_MS },
      ...settings.network,
    });
    for (const [index, manager] of managers.entries()) {
      const node = network.nodes[index];
      writeFileSync(node?.file("manager.pub") ?? "", `${manager.key}\n`);
      writeFileSync(node?.file("marker.key") ?? "", `0x${String(index + 1).repeat(64)}`);
      node?.configure([
        "privacy-enabled = true",
        `privacy-url = "${manager.nodeUrl}"`,
        `privacy-public-key-file = "${node.file("manager.pub")}"`,
        `privacy-marker-transaction-signing-key-file = "${node.file("marker.key")}"`,
      ]);
    }
    const started = new PrivacyNetwork(network, { managers, folder, wire });
    await Promise.all([...managers.map((manager) => manager.start()), network.startAll()]);
    await started.managersMet();
    await until(async () => (await started.node(0).height()) > 0, LIMIT_MS);
    return started;
  }

  /** Cuts the connections between some nodes and the others. */
  partition(half: readonly number[]): void {
    this.#network.partition(half);
  }

  heal(): void {
    this.#network.heal();
  }

  node(index: number): ValidatorNode {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  }

  manager(index: number): EnclaveProcess {
    const manager = this.managers[index];
    if (manager === undefined) throw new Error(`there is no manager ${index}`);
    return manager;
  }

  async managersMet(): Promise<void> {
    for (const manager of this.managers) {
      await until(() => manager.knows(this.managers.length - 1), LIMIT_MS);
    }
  }

  /** Signs a private transaction from a node's manager. */
  sign(from: number, message: PrivateMessage): Hex {
    const { nonce, to, data, for: recipients, key = RICH.privateKey } = message;
    const keyOf = (index: number) => Buffer.from(this.manager(index).key, "base64");
    const parties =
      typeof recipients === "string"
        ? { privacyGroupId: Buffer.from(recipients, "base64") }
        : { privateFor: recipients.map(keyOf) };
    const raw = signPrivateTransaction(
      {
        nonce: BigInt(nonce),
        gasPrice: 0n,
        gasLimit: message.gasLimit ?? 3_000_000n,
        to,
        value: 0n,
        data: hexToBytes(data),
        chainId: CHAIN_ID,
        privateFrom: keyOf(from),
        restriction: "restricted",
        ...parties,
      },
      hexToBytes(key),
    );
    return `0x${Buffer.from(raw).toString("hex")}`;
  }

  /** Sends a private transaction; returns the hash of its marker. */
  async send(from: number, message: PrivateMessage): Promise<Hash> {
    const raw = this.sign(from, message);
    return (await this.node(from).rpc("eea_sendRawTransaction", [raw])) as Hash;
  }

  /** Waits until a marker is mined and a node has the block; returns its number. */
  async mined(index: number, hash: Hash): Promise<number> {
    const node = this.node(index);
    let receipt: unknown;
    await until(async () => {
      receipt = await node.rpc("eth_getTransactionReceipt", [hash]);
      return receipt !== null;
    }, LIMIT_MS);
    return Number(Object(receipt).blockNumber);
  }

  /** The private receipt at a node, after everything private of its block has run. */
  async receipt(index: number, hash: Hash): Promise<PrivateReceiptAnswer | null> {
    const block = await this.mined(index, hash);
    await until(async () => (await this.#executed(index)) >= block, LIMIT_MS);
    const receipt = await this.node(index).rpc("priv_getTransactionReceipt", [hash]);
    return receipt as PrivateReceiptAnswer | null;
  }

  /** The last block whose private transactions have all run, or are blocked. */
  async #executed(index: number): Promise<number> {
    const status = await this.node(index).rpc("plinth_privacyStatus");
    const { delivered, groups } = status as {
      readonly delivered: string;
      readonly groups: readonly { readonly held?: object }[];
    };
    return groups.every(({ held }) => held !== undefined) ? Number(delivered) : -1;
  }

  /** Sends and waits for the receipt at the sender. */
  async run(from: number, message: PrivateMessage): Promise<PrivateReceiptAnswer & { hash: Hash }> {
    const hash = await this.send(from, message);
    const receipt = await this.receipt(from, hash);
    if (receipt === null) throw new Error(`the sender of ${hash} has no receipt`);
    return { ...receipt, hash };
  }

  /** The root of a group at a node, after the last block that both have. */
  async root(index: number, group: string, block = "latest"): Promise<string> {
    return (await this.node(index).rpc("priv_debugGetStateRoot", [group, block])) as string;
  }

  /** All traffic between the third manager and the others. */
  wireOfThird(): Buffer {
    return this.#wire.read();
  }

  /** Stops a node and its manager; returns everything they stored and logged. */
  async endAndRead(index: number): Promise<Buffer> {
    const [node, manager] = [this.node(index), this.manager(index)];
    await node.kill("SIGTERM");
    await manager.stop();
    const folders = [node.file("data"), manager.dataPath].map(readFolder);
    const said = [node.output(), manager.output].map((text) => Buffer.from(text));
    return Buffer.concat([...(await Promise.all(folders)), ...said]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#network[Symbol.asyncDispose]();
    await Promise.all(this.managers.map((manager) => manager.stop("SIGKILL")));
    await this.#wire.close();
    this.#folder[Symbol.dispose]();
  }
}

/** The traffic of a manager, for its callers. */
class Wire {
  readonly #parts: Uint8Array[] = [];
  #gate: TcpGate | undefined;

  /** The port in front of another. */
  async open(port: number): Promise<number> {
    this.#gate = await TcpGate.to(port);
    this.#gate.carried = (bytes) => this.#parts.push(bytes.slice());
    return this.#gate.port;
  }

  read(): Buffer {
    return Buffer.concat(this.#parts);
  }

  async close(): Promise<void> {
    await this.#gate?.[Symbol.asyncDispose]();
  }
}
