import { readFileSync } from "node:fs";
import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { beforeAll, describe, expect, it } from "vitest";
import { createDice } from "../support/mutate.js";
import { DEV_PROFILE_GENESIS, type RunningNode, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- pool` kills it twenty times. */
const CRASHES = Number(process.env.PLINTH_POOL_CRASHES ?? 2);
const SENDERS = 4;
/** Maximum time they send before the node is killed, at times after a block. */
const MAX_WORK_MS = 800;
/** Blocks are produced every second, so that most transactions are pending when the node dies. */
const WORDS = ["--profile=dev", "--dev-period-seconds=1"];

beforeAll(async () => void (await loadCrypto()));

describe("a node that is killed while transactions are pending", () => {
  it(
    `has every acknowledged transaction on the chain, in the pool or explained, ${CRASHES} times`,
    async () => {
      using folder = temporaryFolder();
      const answered: string[] = [];
      const states = new Map<string, number>();
      for (let crash = 0; crash < CRASHES; crash++) {
        const node = await startNode(WORDS, { folder: folder.path });
        await verifyAnswered(node, answered, states);
        const working = Array.from({ length: SENDERS }, (_, index) =>
          sendUntilClosed(node, index, crash, answered),
        );
        if (crash % 2 === 1) await untilNextBlock(node);
        await new Promise((done) => setTimeout(done, 200 + Math.random() * MAX_WORK_MS));
        await node.stop("SIGKILL");
        await Promise.all(working);
      }
      const last = await startNode(WORDS, { folder: folder.path });
      await verifyAnswered(last, answered, states);
      await last.stop();

      expect(answered.length).toBeGreaterThan(CRASHES * 10);
      expect([...states.keys()]).toEqual(expect.arrayContaining(["mined", "dropped"]));
    },
    CRASHES * 20_000,
  );
});

async function untilNextBlock(node: RunningNode): Promise<void> {
  const before = await node.rpc("eth_blockNumber");
  while ((await node.rpc("eth_blockNumber")) === before);
}

/** A transaction that the node accepted must not be unknown later. */
async function verifyAnswered(
  node: RunningNode,
  answered: readonly string[],
  states: Map<string, number>,
): Promise<void> {
  for (const hash of answered) {
    const { state } = Object(await node.rpc("plinth_explainTransaction", [hash]));
    expect([hash, state]).not.toEqual([hash, "unknown"]);
    states.set(state, (states.get(state) ?? 0) + 1);
  }
}

/** Sends transfers, some ahead of their nonce and some replacing others, until the node is gone. */
async function sendUntilClosed(
  node: RunningNode,
  index: number,
  seed: number,
  answered: string[],
): Promise<void> {
  const { alloc } = JSON.parse(readFileSync(DEV_PROFILE_GENESIS, "utf8"));
  const [address, { privateKey }] = Object.entries(alloc)[index] as [
    string,
    { readonly privateKey: string },
  ];
  const dice = createDice(seed * SENDERS + index);
  try {
    for (let price = 2_000_000_000n; ; price += 300_000_000n) {
      const next = BigInt(
        String(await node.rpc("eth_getTransactionCount", [`0x${address}`, "pending"])),
      );
      const ahead = dice(4) === 0 ? BigInt(dice(3)) : 0n;
      const nonce = next + ahead - (next > 0n && dice(4) === 0 ? 1n : 0n);
      const raw = signTransaction(
        {
          chainId: 1337n,
          nonce,
          gasLimit: 21_000n,
          gasPrice: price,
          to: "0x00000000000000000000000000000000000000b0",
          value: 1n,
          data: new Uint8Array(),
        },
        hexToBytes(privateKey),
      );
      try {
        answered.push(String(await node.rpc("eth_sendRawTransaction", [toHex(raw)])));
      } catch (error) {
        // An error response of the node is a response; a broken connection ends the work.
        if (error instanceof Error) throw error;
      }
    }
  } catch (error) {
    if (!(error instanceof Error)) throw new Error(JSON.stringify(error));
  }
}
