import { describe, expect, it } from "vitest";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startAnvil } from "./anvil.js";
import { isMissing } from "./installed.js";
import { type Chain, Expected } from "./ots-expected.js";
import { ask, FAULTS } from "./ots-faults.js";
import { type Named, type Question, questionsAbout } from "./ots-questions.js";
import { CHAIN_ID, makeScript, type Script } from "./ots-transactions.js";

const GENESIS_TIME = 1_900_000_000;
const FIRST_TIME = 2_000_000_000;
const BASE_FEE = "0x3b9aca00";
/** `npm run long -- tools` asks every question, and for every page of every address. */
const isLong = process.env.PLINTH_TOOLS !== undefined;
const SHORT_FORM = 10;

/** Values that are different on every chain, or that newer versions of clients add. */
const OWN_HASHES = ["hash", "parentHash", "stateRoot", "mixHash"];
const OWN_VALUES = ["miner", "difficulty", "totalDifficulty", "extraData", "size"];
const LATER_MEMBERS = ["blockHash", "blockTimestamp"];
/** Anvil has it in all receipts; it is one of transactions with blobs only. */
const BLOBS_ONLY = "blobGasPrice";

describe.skipIf(isMissing("foundry", ".bin/anvil"))("what Otterscan asks", () => {
  it("is the same as on Anvil after the same transactions, but for its faults", async () => {
    using folder = temporaryFolder();
    const rules = [`--chain-id=${CHAIN_ID}`, "--hardfork=osaka"];
    const chain = [...rules, "--no-mining", `--timestamp=${GENESIS_TIME}`];
    await using node = await startNode(["dev", ...chain], { folder: folder.path });
    await using anvil = await startAnvil([...chain, "--gas-limit=30000000"]);
    const script = await makeScript();

    const [ours, theirs] = [await play(node, script), await play(anvil, script)];

    const expected = await Expected.read(anvil);
    const differences: unknown[] = [];
    const used = new Set<string>();
    for (const [index, question] of ours.entries()) {
      if (!isLong && index % SHORT_FORM !== 0) continue;
      const counterpart = theirs[index] ?? question;
      const [mine, response] = await Promise.all([ask(node, question), ask(anvil, counterpart)]);
      let right = response;
      for (const { methods, reason, right: correct } of FAULTS) {
        if (!methods.includes(question.method) || isSame(mine, right)) continue;
        right = await correct(right, counterpart, expected);
        used.add(reason);
      }
      if (!isSame(mine, right)) {
        differences.push({ ...question, mine: comparable(mine), theirs: comparable(right) });
      }
    }
    expect(differences).toEqual([]);
    expect(used.size).toBeGreaterThan(0);
    if (isLong) expect([...used].sort()).toEqual(FAULTS.map(({ reason }) => reason).sort());
  });
});

/** Sends the transactions, each group in a block, and lists what can be asked then. */
async function play({ rpc }: Chain, { blocks, addresses }: Script): Promise<readonly Question[]> {
  await rpc("anvil_setNextBlockBaseFeePerGas", [BASE_FEE]);
  const transactions: Named[] = [];
  for (const [index, block] of blocks.entries()) {
    for (const { name, raw } of block) {
      transactions.push({ name, hash: String(await rpc("eth_sendRawTransaction", [raw])) });
    }
    await rpc("evm_setNextBlockTimestamp", [FIRST_TIME + index]);
    await rpc("evm_mine");
  }
  const numbers = Array.from({ length: blocks.length + 1 }, (_, number) => number);
  const made = await Promise.all(numbers.map((number) => nameBlock({ rpc }, number)));
  const senders = await Promise.all(
    ["rich", "friend"].map(async (name) => {
      const address = addresses[name] ?? `0x${name}`;
      return { address, nonce: Number(await rpc("eth_getTransactionCount", [address, "latest"])) };
    }),
  );
  return questionsAbout({ blocks: made, transactions, senders, addresses, isLong });
}

async function nameBlock({ rpc }: Chain, number: number): Promise<Named> {
  const block = await rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
  return { name: `block ${number}`, hash: Object(block).hash };
}

function isSame(mine: unknown, theirs: unknown): boolean {
  return JSON.stringify(comparable(mine)) === JSON.stringify(comparable(theirs));
}

/** A response with its members in order, without those that are different on every chain. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const isBlock = "parentHash" in value;
  const isLeftOut = (name: string) =>
    LATER_MEMBERS.includes(name) ||
    name === BLOBS_ONLY ||
    (isBlock && [...OWN_HASHES, ...OWN_VALUES].includes(name));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isLeftOut(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, comparable(member)]),
  );
}
