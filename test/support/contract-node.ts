import { readFile, writeFile } from "node:fs/promises";
import { type Address, type Clock, type Hex, hexToBytes, systemClock, toHex } from "@plinth/core";
import enclave from "@plinth/plugin-enclave";
import enclaveTessera from "@plinth/plugin-enclave-tessera";
import logIndex from "@plinth/plugin-log-index";
import metricsPrometheus from "@plinth/plugin-metrics-prometheus";
import privacy from "@plinth/plugin-privacy";
import { signPrivateTransaction } from "@plinth/plugin-privacy/api";
import protocolEth from "@plinth/plugin-protocol-eth";
import rpcAdmin from "@plinth/plugin-rpc-admin";
import rpcDebug from "@plinth/plugin-rpc-debug";
import rpcEea from "@plinth/plugin-rpc-eea";
import rpcEth from "@plinth/plugin-rpc-eth";
import rpcPriv from "@plinth/plugin-rpc-priv";
import {
  ALICE,
  createTestNode,
  LOG_GENESIS,
  LOGGER,
  MemoryNetwork,
  signLog,
  signTransaction,
} from "@plinth/testing";
import { vi } from "vitest";
import { bothTransports, connectBoth, offerOverBoth } from "./both-interfaces.js";
import type { TemporaryFolder } from "./temporary-folder.js";

/** Returns its slot 0, or stores its calldata there and logs it. */
export const STORE: Hex =
  "0x602080600b6000396000f336600f5760005460005260206000f35b6000358060005560005260206000a000";
/** The contract address of Alice. */
const KEY: Hex = "0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";
/** Reverts with the reason "no". */
export const REVERTING: Address = `0x${"dd".repeat(20)}`;
const REASON = `08c379a0${word(32)}${word(2)}${"6e6f".padEnd(64, "0")}`;
const APIS = ["ADMIN", "DEBUG", "EEA", "ETH", "PRIV"];
export const TOPIC = `0x${"01".repeat(32)}` as const;
const NODE_KEY: Hex = `0x${"22".repeat(32)}`;
const NODE_ID = "ab".repeat(64);
export const ENODE = `enode://${NODE_ID}@127.0.0.1:30399`;

/** A private transaction as tests write it. */
export interface PrivateMessage {
  readonly nonce: number;
  readonly to?: Address;
  readonly data: Hex;
  readonly group?: string;
}

export type ContractNode = Awaited<ReturnType<typeof startContractNode>>;

/**
 * A development chain with everything that the contract requires of one node, over HTTP and
 * WebSocket: a block with a log, a peer, and a manager of private transactions with two keys.
 */
export async function startContractNode(folder: TemporaryFolder, clock: Clock = systemClock) {
  const keys = await makeKeys(folder);
  const config = folder.file("enclave.toml");
  await writeFile(
    config,
    'url = "http://127.0.0.1:1/"\npeer-port = 0\nnode-port = 0\nkey-files = ["a.key", "b.key"]\n',
  );
  const network = new MemoryNetwork({ clock });
  const genesis = {
    ...LOG_GENESIS,
    config: { ...LOG_GENESIS.config, zeroBaseFee: true },
    alloc: { ...LOG_GENESIS.alloc, [REVERTING]: { balance: "0", code: reverting() } },
  };
  const common = [protocolEth, rpcEth, rpcAdmin];
  const node = await createTestNode({
    genesis,
    key: NODE_KEY,
    clock,
    plugins: [
      ...[...common, rpcDebug, rpcEea, rpcPriv, logIndex, metricsPrometheus],
      ...[privacy, enclave, enclaveTessera, ...bothTransports],
      network.plugin("contract"),
    ],
    options: {
      ...offerOverBoth(APIS),
      dataPath: folder.path,
      networkDriver: "memory",
      privacyEnabled: true,
      enclaveConfigFile: config,
      privacyPublicKeyFile: folder.file("a.pub"),
    },
  });
  const peer = await createTestNode({
    genesis,
    plugins: [...common, network.plugin("peer")],
    clock,
    options: { networkDriver: "memory" },
  });
  const interfaces = await connectBoth(node.node);
  const { http } = interfaces;
  const send = (raw: string) => http("eth_sendRawTransaction", [raw]) as Promise<Hex>;
  const mined = async (hash: Hex) => {
    await vi.waitUntil(async () => (await http("eth_getTransactionReceipt", [hash])) !== null);
    return hash;
  };
  const logTransaction = await mined(await send(await signLog(0, [TOPIC, TOPIC])));
  return {
    ...interfaces,
    node,
    keys,
    /** The transaction that left a log, in block 1. */
    logTransaction,
    send,
    mined,
    sign: signTransaction,
    signPrivate: (message: PrivateMessage) => signPrivate(message, keys),
    /** Sends a private transaction, and returns the hash of its marker when it is in a block. */
    async sendPrivate(message: PrivateMessage): Promise<Hex> {
      return mined((await http("eea_sendRawTransaction", [signPrivate(message, keys)])) as Hex);
    },
    async [Symbol.asyncDispose]() {
      interfaces[Symbol.dispose]();
      await peer.stop();
      await node.stop();
    },
  };
}

async function makeKeys(folder: TemporaryFolder): Promise<readonly [string, string]> {
  await using node = await createTestNode({ plugins: [enclave] });
  for (const name of ["a", "b"]) {
    await node.command("enclave keygen", { flags: { to: folder.file(name) } });
  }
  const read = async (name: string) => (await readFile(folder.file(name), "utf8")).trim();
  return [await read("a.pub"), await read("b.pub")];
}

function signPrivate(
  { nonce, to, data, group }: PrivateMessage,
  keys: readonly [string, string],
): Hex {
  const [own, other] = keys.map((key) => Buffer.from(key, "base64"));
  const parties =
    group === undefined
      ? { privateFor: other === undefined ? [] : [other] }
      : { privacyGroupId: Buffer.from(group, "base64") };
  const transaction = {
    nonce: BigInt(nonce),
    gasPrice: 0n,
    gasLimit: 3_000_000n,
    to,
    value: 0n,
    data: hexToBytes(data),
    chainId: 1337n,
    privateFrom: own ?? new Uint8Array(),
    restriction: "restricted" as const,
    ...parties,
  };
  return toHex(signPrivateTransaction(transaction, hexToBytes(KEY)));
}

/** Code that reverts with the reason "no": it copies the reason from its end. */
function reverting(): Hex {
  const size = (REASON.length / 2).toString(16).padStart(2, "0");
  return `0x60${size}600c60003960${size}6000fd${REASON}`;
}

export function word(value: number): string {
  return value.toString(16).padStart(64, "0");
}

export { ALICE, LOGGER };
