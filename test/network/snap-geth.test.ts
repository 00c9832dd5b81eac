import { writeFileSync } from "node:fs";
import { type Address, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { expect, it } from "vitest";
import { cliqueGenesis, SIGNERS } from "../support/clique-chain.js";
import { isGethMissing } from "../support/geth.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { type CliqueNode, startGeth, startPlinth } from "./clique-nodes.js";
import { until } from "./network-node.js";

/** geth joins 64 blocks before the head of its peer. */
const BLOCKS = 90;
/** A block whose state has to be executed. */
const EXECUTED = 10;
const ACCOUNTS = 2_000;
const SLOTS = 5_000;
const LIMIT_MS = 300_000;
const [SIGNER, FOLLOWER, JOINER] = SIGNERS;
const CONTRACT = `0x${"c0".repeat(20)}`;
const accountOf = (number: number) => `0x${(number + 0x1000).toString(16).padStart(40, "a")}`;
const wordOf = (number: number) => `0x${number.toString(16).padStart(64, "0")}`;
const FORKS = ["homestead", "eip150", "eip155", "eip158", "byzantium", "constantinople"];
const GENESIS = cliqueGenesis({
  signers: [SIGNER],
  clique: { blockperiodseconds: 1, period: 1, epochlength: 30_000, epoch: 30_000 },
  config: Object.fromEntries(
    [...FORKS, "petersburg", "istanbul", "berlin", "london"].map((name) => [`${name}Block`, 0]),
  ),
  alloc: {
    [SIGNER.address]: { balance: `0x${(10n ** 18n).toString(16)}` },
    [CONTRACT]: {
      balance: "0x1",
      code: toHex(new Uint8Array(24_000).fill(1)),
      storage: Object.fromEntries(
        Array.from({ length: SLOTS }, (_, index) => [wordOf(index), wordOf(index + 1)]),
      ),
    },
    ...Object.fromEntries(
      Array.from({ length: ACCOUNTS }, (_, index) => [
        accountOf(index),
        { balance: wordOf(index + 1) },
      ]),
    ),
  },
  timestamp: Math.floor(Date.now() / 1000) - 10,
});

/** `npm run long -- clique` runs it: the blocks take a minute and a half. */
const isLong = process.env.PLINTH_CLIQUE_BLOCKS !== undefined;

it.skipIf(!isLong || isGethMissing())(
  "geth joins by snap/1 from a node of ours, and one of ours from that geth",
  { timeout: 3 * LIMIT_MS },
  async () => {
    await using ours = await startPlinth(SIGNER, GENESIS, {
      options: ["--Xsnapsync-server-enabled"],
    });
    await untilAt(ours, 1);
    await pay(ours, 0n);
    await untilAt(ours, EXECUTED + 1);
    await pay(ours, 1n);
    await untilAt(ours, BLOCKS);
    await using geth = await startGeth(FOLLOWER, GENESIS, {
      options: ["--syncmode", "snap"],
      isFollower: true,
    });
    await geth.rpc("admin_addPeer", [await ours.enode()]);
    await untilAt(geth, BLOCKS);
    await compareStates(ours, geth);
    await expect(balanceAt(geth, EXECUTED)).rejects.toMatchObject({
      message: expect.stringMatching(/missing trie node|not available|historical/),
    });

    using folder = temporaryFolder();
    const nodes = folder.file("static-nodes.json");
    writeFileSync(nodes, JSON.stringify([await geth.enode()]));
    await using joined = await startPlinth(JOINER, GENESIS, {
      options: ["--sync-mode=SNAP", "--sync-min-peers=1", `--static-nodes-file=${nodes}`],
    });
    await untilAt(joined, BLOCKS);
    await compareStates(ours, joined);
    await expect(balanceAt(joined, EXECUTED)).rejects.toThrow(
      "this node joined the chain at block",
    );
    expect(await balanceAt(ours, EXECUTED)).toBe("0x8");
  },
);

/** Changes the state: that of block 0 is in every node. */
async function pay(node: CliqueNode, nonce: bigint): Promise<void> {
  const gas = { gasPrice: 10n ** 10n, gasLimit: 21_000n };
  const fields = { chainId: 1337n, nonce, value: 7n, data: new Uint8Array(), ...gas };
  const raw = signTransaction({ ...fields, to: accountOf(0) as Address }, SIGNER.key);
  await node.rpc("eth_sendRawTransaction", [toHex(raw)]);
}

function balanceAt(node: CliqueNode, block: number): Promise<unknown> {
  return node.rpc("eth_getBalance", [accountOf(0), `0x${block.toString(16)}`]);
}

async function untilAt(node: CliqueNode, height: number): Promise<void> {
  await until(async () => Number(await node.rpc("eth_blockNumber")) >= height, LIMIT_MS);
}

/** Both have the same values after a recent block. */
async function compareStates(one: CliqueNode, other: CliqueNode): Promise<void> {
  const block = await other.rpc("eth_blockNumber");
  for (let number = 0; number < ACCOUNTS; number += 97) {
    const question = ["eth_getBalance", [accountOf(number), block]] as const;
    expect(await other.rpc(...question)).toBe(await one.rpc(...question));
  }
  for (let number = 0; number < SLOTS; number += 97) {
    const question = ["eth_getStorageAt", [CONTRACT, wordOf(number), block]] as const;
    expect(await other.rpc(...question)).toBe(wordOf(number + 1));
    expect(await one.rpc(...question)).toBe(wordOf(number + 1));
  }
  const question = ["eth_getCode", [CONTRACT, block]] as const;
  expect(await other.rpc(...question)).toBe(await one.rpc(...question));
}
