import { writeFileSync } from "node:fs";
import { type Address, hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { describe, expect, it } from "vitest";
import { until } from "./network-node.js";
import { keyOf, RICH, ValidatorNetwork, type ValidatorNode } from "./validator-network.js";

/** `npm run long -- network` runs all of them, and waits longer. */
const isLong = process.env.PLINTH_NETWORK !== undefined;
const LIMIT_MS = 60_000;
/** Either side would dial again within this time. */
const DIAL_AGAIN_MS = isLong ? 12_000 : 3_000;
const APIS = "--rpc-http-api=ETH,NET,ADMIN,PERM,TXPOOL";
/** An account with a key and without permissions. */
const STRANGER_KEY = keyOf(77);
const RULES: Address = `0x${"88".repeat(20)}`;
/**
 * Two words set a slot; any other call returns 1 unless a slot is set: that of the first argument.
 */
const ACCOUNT_RULES = "0x36604014601457600435541560005260206000f35b6020356000355500";
/**
 * The same for nodes: that of the first argument, or of the word at 0x84, which contains an id in
 * both versions.
 */
const NODE_RULES = "0x366040146019576004355460843554171560005260206000f35b6020356000355500";

describe("allowlists of running nodes", () => {
  it(
    "close connections, prevent reopening them, and admit them again",
    async () => {
      await using network = await ValidatorNetwork.create({
        validators: 4,
        words: [APIS],
        // A static node cannot be removed from a list; the other side dials.
        peersOf: (index) => (index === 0 ? [1, 2] : [0, 1, 2, 3].filter((each) => each !== index)),
      });
      const [first, , , last] = network.nodes as Four;
      const enodes = network.nodes.map(({ enode }) => enode);
      giveLists(first, { nodes: enodes, accounts: [RICH.address] });
      await network.startAll();
      const peersOf = async (node: ValidatorNode) => Number(await node.rpc("net_peerCount"));
      await until(async () => (await peersOf(first)) === 3, LIMIT_MS);

      await first.rpc("perm_removeNodesFromAllowlist", [[last.enode]]);
      const ended = await until(async () => (await peersOf(first)) === 2, LIMIT_MS);
      await pause(DIAL_AGAIN_MS);
      expect(await peersOf(first)).toBe(2);
      await first.rpc("perm_addNodesToAllowlist", [[last.enode]]);
      const back = await until(async () => (await peersOf(first)) === 3, LIMIT_MS);

      if (isLong) expect([ended < 2000, back < 15_000]).toEqual([true, true]);
    },
    3 * LIMIT_MS,
  );

  it(
    "exclude the transactions of an account from the pool and the blocks of a node, which imports them from others",
    async () => {
      await using network = await ValidatorNetwork.create({
        validators: 4,
        words: [APIS],
        alloc: { [await addressOf(STRANGER_KEY)]: { balance: "0xffffffffffffffff" } },
      });
      const [first, second] = network.nodes as Four;
      giveLists(first, { accounts: [RICH.address, await addressOf(STRANGER_KEY)] });
      await network.startAll();
      await until(async () => (await second.height()) > 0, LIMIT_MS);
      await first.rpc("perm_removeAccountsFromAllowlist", [[await addressOf(STRANGER_KEY)]]);

      const raws = await Promise.all([0n, 1n, 2n, 3n, 4n, 5n].map((nonce) => signTransfer(nonce)));
      await expect(first.rpc("eth_sendRawTransaction", [raws[0]])).rejects.toMatchObject({
        code: -32007,
        message: "Sender account not authorized to send transactions",
      });
      for (const raw of raws) {
        await second.rpc("eth_sendRawTransaction", [raw]);
        const height = await second.height();
        await until(async () => (await second.height()) > height, LIMIT_MS);
        expect(await first.rpc("txpool_besuTransactions")).toEqual([]);
      }
      await until(async () => (await countOf(first, STRANGER_KEY)) === raws.length, LIMIT_MS);

      for (const block of await blocksOf(first)) {
        if (block.miner === first.address) expect(block.transactions).toEqual([]);
      }
    },
    3 * LIMIT_MS,
  );
});

describe.runIf(isLong)("contracts that decide", () => {
  it(
    "about accounts exclude a transaction from all blocks until another one changes them",
    async () => {
      const stranger = await addressOf(STRANGER_KEY);
      await using network = await ValidatorNetwork.create({
        validators: 4,
        words: [
          APIS,
          "--permissions-accounts-contract-enabled",
          `--permissions-accounts-contract-address=${RULES}`,
        ],
        alloc: {
          [stranger]: { balance: "0xffffffffffffffff" },
          [RULES]: { balance: "0x0", code: ACCOUNT_RULES, storage: { [wordOf(stranger)]: "0x01" } },
        },
      });
      await network.startAll();
      const [first] = network.nodes as Four;
      await until(async () => (await first.height()) > 0, LIMIT_MS);
      await first.rpc("eth_sendRawTransaction", [await signTransfer(0n)]);
      const height = await first.height();
      await until(async () => (await first.height()) > height + 4, LIMIT_MS);
      expect(await countOf(first, STRANGER_KEY)).toBe(0);

      await first.rpc("eth_sendRawTransaction", [await signChange(0n, wordOf(stranger), 0)]);

      await until(async () => (await countOf(first, STRANGER_KEY)) === 1, LIMIT_MS);
    },
    3 * LIMIT_MS,
  );

  it.each([1, 2])(
    "about nodes, version %i, close connections and admit them again",
    async (version) => {
      await using network = await ValidatorNetwork.create({
        validators: 3,
        others: 1,
        words: [
          APIS,
          "--permissions-nodes-contract-enabled",
          `--permissions-nodes-contract-address=${RULES}`,
          `--permissions-nodes-contract-version=${version}`,
        ],
        alloc: { [RULES]: { balance: "0x0", code: NODE_RULES } },
      });
      await network.startAll();
      const [first, , , last] = network.nodes as Four;
      const peers = async () => Number(await first.rpc("net_peerCount"));
      await until(async () => (await peers()) === 3, LIMIT_MS);
      const id = /^enode:\/\/(\w+)@/.exec(last.enode)?.[1] ?? "";
      const slot = version === 1 ? `0x${id.slice(0, 64)}` : toHex(Buffer.from(id.slice(0, 32)));

      await first.rpc("eth_sendRawTransaction", [await signChange(0n, slot, 1)]);
      await until(async () => (await peers()) === 2, LIMIT_MS);
      await first.rpc("eth_sendRawTransaction", [await signChange(1n, slot, 0)]);
      await until(async () => (await peers()) === 3, LIMIT_MS);
    },
    3 * LIMIT_MS,
  );
});

type Four = readonly [ValidatorNode, ValidatorNode, ValidatorNode, ValidatorNode];

/** Applies its own lists to a node. */
function giveLists(
  node: ValidatorNode,
  { accounts, nodes }: { readonly accounts: readonly string[]; readonly nodes?: readonly string[] },
): void {
  const path = node.file("permissions.toml");
  writeFileSync(
    path,
    `accounts-allowlist=${JSON.stringify(accounts)}\nnodes-allowlist=${JSON.stringify(nodes ?? [])}\n`,
  );
  node.configure([
    "permissions-accounts-config-file-enabled = true",
    `permissions-accounts-config-file = "${path}"`,
    `permissions-nodes-config-file-enabled = ${nodes !== undefined}`,
    `permissions-nodes-config-file = "${path}"`,
  ]);
}

async function addressOf(key: string): Promise<Address> {
  const crypto = await loadCrypto();
  return crypto.addressOf(crypto.publicKeyOf(hexToBytes(key)));
}

const wordOf = (address: Address) => `0x${address.slice(2).padStart(64, "0")}`;

async function signTransfer(nonce: bigint): Promise<string> {
  await loadCrypto();
  const usual = { chainId: 1337n, value: 1n, gasPrice: 0n, gasLimit: 21_000n };
  const transfer = { ...usual, nonce, to: RICH.address, data: new Uint8Array() };
  return toHex(signTransaction(transfer, hexToBytes(STRANGER_KEY)));
}

/** Sets a slot of the rules. */
async function signChange(nonce: bigint, slot: string, value: number): Promise<string> {
  await loadCrypto();
  const data = hexToBytes(`${slot}${value.toString(16).padStart(64, "0")}`);
  const usual = { chainId: 1337n, value: 0n, gasPrice: 0n, gasLimit: 100_000n };
  return toHex(signTransaction({ ...usual, nonce, to: RULES, data }, hexToBytes(RICH.privateKey)));
}

async function countOf(node: ValidatorNode, key: string): Promise<number> {
  return Number(await node.rpc("eth_getTransactionCount", [await addressOf(key), "latest"]));
}

interface ShownBlock {
  readonly miner: string;
  readonly transactions: readonly string[];
}

async function blocksOf(node: ValidatorNode): Promise<readonly ShownBlock[]> {
  const blocks: ShownBlock[] = [];
  for (let number = 1; number <= (await node.height()); number++) {
    const quantity = `0x${number.toString(16)}`;
    blocks.push((await node.rpc("eth_getBlockByNumber", [quantity, false])) as ShownBlock);
  }
  return blocks;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
