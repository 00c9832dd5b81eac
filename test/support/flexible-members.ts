import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Address,
  definePlugin,
  getCrypto,
  type Hash,
  type Hex,
  hexToBytes,
  keccak256,
  toHex,
} from "@plinth/core";
import { EnclaveUnreachable, toBase64 } from "@plinth/kit-enclave";
import cmdPrivacy from "@plinth/plugin-cmd-privacy";
import { devChain } from "@plinth/plugin-consensus-dev/api";
import { enclave } from "@plinth/plugin-enclave/api";
import enclaveTessera from "@plinth/plugin-enclave-tessera";
import privacy from "@plinth/plugin-privacy";
import {
  encodeAddition,
  encodeRemoval,
  PROXY_ADDRESS,
  type PrivacyNode,
  privacy as privacyService,
  SELECTORS,
  signPrivateTransaction,
} from "@plinth/plugin-privacy/api";
import rpcEea from "@plinth/plugin-rpc-eea";
import rpcPriv from "@plinth/plugin-rpc-priv";
import transportHttp from "@plinth/plugin-transport-http";
import {
  createTestNode,
  DEV_GENESIS,
  type LogEntry,
  recordLogs,
  type TestNode,
} from "@plinth/testing";
import { type MemberSite, openSites } from "./member-sites.js";
import type { MemoryManagers } from "./memory-managers.js";

/** Signs the private transactions of tests; the owner of the groups it creates. */
export const OWNER_KEY: Hex = "0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";
export const OTHER_KEY: Hex = `0x${"17".repeat(32)}`;
export const FLEXIBLE_MARKER = "0x000000000000000000000000000000000000007d";
/** Returns its slot 0, or stores its calldata there and logs it. */
const STORE_CODE = "36600f5760005460005260206000f35b6000358060005560005260206000a000";
export const STORE: Hex = `0x60${(STORE_CODE.length / 2).toString(16)}600c60003960${(STORE_CODE.length / 2).toString(16)}6000f3${STORE_CODE}`;

const SELECTOR_AND_OFFSET = 36;

/** A private transaction of a test. */
export interface FlexibleMessage {
  readonly group: string | undefined;
  readonly to?: Address | undefined;
  readonly data: Hex;
  readonly nonce?: bigint;
  readonly signer?: Hex;
  readonly privateFor?: readonly string[];
}

/** A node with a manager, of a chain that others follow. */
export interface FlexibleMember {
  readonly site: MemberSite;
  /** Its key at the manager, in base64. */
  readonly key: string;
  readonly test: TestNode;
  readonly privacy: () => PrivacyNode;
  readonly logs: readonly LogEntry[];
  rpc<T = unknown>(method: string, ...params: readonly unknown[]): Promise<T>;
  sign(message: FlexibleMessage): Promise<Hex>;
  /** Stores a private transaction with its parties; returns the reference for its marker. */
  distribute(message: FlexibleMessage): Promise<Hex>;
  /** Restarts the node, optionally with other options. */
  restart(changed?: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Nodes of one chain, whose managers know each other. */
export class FlexibleNetwork implements AsyncDisposable {
  readonly managers: MemoryManagers;
  readonly members: readonly FlexibleMember[];
  readonly #folder: string;

  private constructor(
    managers: MemoryManagers,
    members: readonly FlexibleMember[],
    folder: string,
  ) {
    this.managers = managers;
    this.members = members;
    this.#folder = folder;
  }

  static async open<const N extends readonly string[]>(
    names: N,
    options: Readonly<Record<string, unknown>> = {},
    alloc: object = {},
  ): Promise<FlexibleNetwork & { readonly members: { [K in keyof N]: FlexibleMember } }> {
    const { network, sites } = await openSites(...names);
    const folder = await mkdtemp(join(tmpdir(), "plinth-flexible-"));
    const members: FlexibleMember[] = [];
    for (const [at, site] of (sites as readonly MemberSite[]).entries()) {
      const keyFile = join(folder, `${at}.pub`);
      await writeFile(keyFile, toBase64(site.key));
      const own = { privacyPublicKeyFile: keyFile, ...options };
      members.push(await openMember(network, site, own, { alloc, makesBlocks: at === 0 }));
    }
    return new FlexibleNetwork(network, members, folder) as never;
  }

  /**
   * Produces a block of markers at the first node, which all others follow; returns the hashes of
   * the markers.
   */
  async mine(...named: readonly Hex[]): Promise<readonly Hash[]> {
    const [first] = this.members as [FlexibleMember];
    const { blocks } = first.test.node;
    await first.test.mine(
      named.map((data) => ({ to: FLEXIBLE_MARKER, data, gasLimit: 100_000n })) as never,
    );
    await this.follow();
    const { body } = blocks.findBlock(blocks.head().hash) ?? {};
    return body?.transactions.map(({ hash }) => hash) ?? [];
  }

  /** Makes all nodes import the blocks of the first one, from a block on or from their heads. */
  async follow(from?: bigint): Promise<void> {
    const [first, ...others] = this.members as [FlexibleMember, ...FlexibleMember[]];
    const { blocks } = first.test.node;
    for (const { test } of others) {
      const start = from ?? test.node.blocks.head().number + 1n;
      for (let next = start; next <= blocks.head().number; next++) {
        const block = blocks.findBlock(next);
        if (block !== undefined) await test.node.blocks.import(block, { origin: "peer" });
      }
    }
  }

  /** Sends one private transaction and has it mined; returns the sender's receipt. */
  async run(from: FlexibleMember, message: FlexibleMessage): Promise<FlexibleReceipt> {
    const [hash] = await this.mine(await from.distribute(message));
    return from.rpc<FlexibleReceipt>("priv_getTransactionReceipt", hash);
  }

  /** The state roots of a group at some members. */
  async roots(
    group: string,
    members: readonly FlexibleMember[] = this.members,
  ): Promise<readonly unknown[]> {
    return Promise.all(
      members.map(({ rpc }) => rpc("priv_debugGetStateRoot", group, "latest").catch(errorText)),
    );
  }

  async [Symbol.asyncDispose]() {
    await Promise.all(this.members.map(({ test }) => test.stop()));
    await rm(this.#folder, { recursive: true });
  }
}

/** A private receipt, limited to the tested fields. */
export interface FlexibleReceipt {
  readonly status: Hex;
  readonly contractAddress: Address;
  readonly commitmentHash: Hash;
  readonly revertReason?: Hex;
  readonly output: Hex;
  readonly logs: readonly { readonly data: Hex }[];
}

export function newGroup(): string {
  return randomBytes(32).toString("base64");
}

/** The calldata for the contract of a group. */
export const manage = {
  add: (group: string, ...members: readonly Pick<FlexibleMember, "site">[]) =>
    toProxy(group, toHex(encodeAddition(members.map(({ site }) => site.key)))),
  remove: (group: string, { site }: Pick<FlexibleMember, "site">) =>
    toProxy(group, toHex(encodeRemoval(site.key))),
  lock: (group: string) => toProxy(group, SELECTORS.lock),
  unlock: (group: string) => toProxy(group, SELECTORS.unlock),
};

/** The version of a group in a block with these members. */
export function groupVersion(
  { parentHash, coinbase }: { readonly parentHash: Hash; readonly coinbase: Address },
  members: readonly Pick<FlexibleMember, "site">[],
): Uint8Array {
  const list = encodeAddition(members.map(({ site }) => site.key)).slice(SELECTOR_AND_OFFSET);
  const words = [parentHash, `0x${coinbase.slice(2).padStart(64, "0")}`, word(0x60)] as const;
  return keccak256(Buffer.concat([...words.map((text) => hexToBytes(text)), list]));
}

export function word(value: number): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

function toProxy(group: string, data: Hex): FlexibleMessage {
  return { group, to: PROXY_ADDRESS, data };
}

async function openMember(
  managers: MemoryManagers,
  site: MemberSite,
  options: Readonly<Record<string, unknown>>,
  { alloc, makesBlocks }: { readonly alloc: object; readonly makesBlocks: boolean },
): Promise<FlexibleMember> {
  const key = toBase64(site.key);
  let found: PrivacyNode | undefined;
  const link = managers.link(site.url);
  const memory = definePlugin({
    name: "enclave-memory",
    provides: [enclave],
    setup: ({ services }) =>
      services.provide(enclave, () => ({
        ...site.manager,
        payloads: site.manager.payloads,
        groups: site.manager.groups,
        publicKeys: site.manager.publicKeys,
        status: () => site.manager.status(),
        link: {
          name: link.name,
          // Its own node cannot reach a manager that is down either.
          async post(...asked: Parameters<typeof link.post>) {
            if (managers.down.has(site.url)) throw new EnclaveUnreachable(site.url, "down");
            return link.post(...asked);
          },
        },
      })),
  });
  const reach = definePlugin({
    name: "reach-privacy",
    dependencies: { privacy: privacyService, dev: devChain },
    setup({ onStart }) {
      onStart(({ privacy, dev }) => {
        found = privacy.node;
        if (!makesBlocks) dev.isAutomatic = false;
      });
    },
  });
  const inForce = {
    privacyEnabled: true,
    privacyFlexibleGroupsEnabled: true,
    ...options,
  };
  const logs = recordLogs();
  const test = await createTestNode({
    logs,
    plugins: [memory, enclaveTessera, privacy, rpcEea, rpcPriv, transportHttp, cmdPrivacy, reach],
    genesis: {
      ...DEV_GENESIS,
      config: { ...DEV_GENESIS.config, zeroBaseFee: true },
      alloc: { ...DEV_GENESIS.alloc, ...alloc },
    },
    options: inForce,
  });
  const rpc = <T>(method: string, ...params: readonly unknown[]) =>
    test.rpc(method, params) as Promise<T>;
  const sign = async ({ group, signer = OWNER_KEY, ...message }: FlexibleMessage): Promise<Hex> => {
    const { addressOf, publicKeyOf } = getCrypto();
    const sender = addressOf(publicKeyOf(hexToBytes(signer)));
    const { nonce = BigInt(await rpc<Hex>("priv_getTransactionCount", sender, group)) } = message;
    const parties =
      group === undefined
        ? { privateFor: (message.privateFor ?? []).map((name) => Buffer.from(name, "base64")) }
        : { privacyGroupId: new Uint8Array(Buffer.from(group, "base64")) };
    const unsigned = {
      nonce,
      gasPrice: 0n,
      gasLimit: 3_000_000n,
      to: message.to,
      value: 0n,
      data: hexToBytes(message.data),
      chainId: 1337n,
      privateFrom: site.key,
      restriction: "restricted" as const,
      ...parties,
    };
    return toHex(signPrivateTransaction(unsigned, hexToBytes(signer)));
  };
  return {
    site,
    key,
    test,
    privacy: () => found as PrivacyNode,
    logs: logs.entries,
    rpc,
    sign,
    distribute: async (message) => rpc("priv_distributeRawTransaction", await sign(message)),
    restart(changed = {}) {
      Object.assign(inForce, changed);
      return test.restart();
    },
  };
}

function errorText(error: unknown): string {
  return String(Object(error).message);
}
