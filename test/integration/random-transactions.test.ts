import { type Address, encodeBlock, loadCrypto } from "@plinth/core";
import {
  contractAddress,
  decodeBlock,
  signTransaction,
  type UnsignedTransaction,
} from "@plinth/core/blocks";
import { beforeAll, describe, expect, it } from "vitest";
import { devAccounts } from "../support/dev-load.js";
import { createDice, type Dice } from "../support/mutate.js";
import { poolGenesis, startPoolNode } from "../support/pool-node.js";
import { RandomProgram } from "../support/random-program.js";

/** `npm run long -- fuzz-transactions` tries ten thousand. */
const TRANSACTIONS = Number(process.env.PLINTH_RANDOM_TRANSACTIONS ?? 200);
const ACCOUNTS = devAccounts().slice(0, 4);
const PER_BLOCK = 8;

const FORKS: readonly (readonly [string, object])[] = [
  ["london", {}],
  ["shanghai", { shanghaiTime: 0 }],
  ["cancun", { shanghaiTime: 0, cancunTime: 0 }],
  ["prague", { shanghaiTime: 0, cancunTime: 0, pragueTime: 0 }],
  ["osaka", { shanghaiTime: 0, cancunTime: 0, pragueTime: 0, osakaTime: 0 }],
];

beforeAll(async () => {
  await loadCrypto();
});

describe("random transactions", () => {
  it.each(FORKS)(
    `have the same roots when they are built and when they are imported, under %s`,
    async (_, config) => {
      const alloc = Object.fromEntries(
        ACCOUNTS.map(({ address }) => [address, { balance: `0x${(10n ** 24n).toString(16)}` }]),
      );
      const genesis = { ...poolGenesis(0, config), gasLimit: "0x3938700", alloc };
      // Verified by importing it elsewhere.
      const options = { XverifyOwnBlocks: false, blockTxsSelectionMaxTime: 2000 };
      const [maker, importer] = [
        await startPoolNode({ genesis, options }),
        await startPoolNode({ genesis, options }),
      ];
      const made = { transactions: 0, blocks: 0 };
      const wanted = TRANSACTIONS / FORKS.length;
      try {
        for (let seed = 1; made.transactions < wanted; seed++) {
          const dice = createDice(seed);
          for (let index = 0; index < PER_BLOCK; index++) await submitRandom(maker, dice);
          const header = await maker.mine();
          const block = maker.blocks.findBlock(header.hash);
          if (block === undefined) throw new Error("the block that was made is gone");
          const copy = decodeBlock(encodeBlock(block));
          const { block: imported } = await importer.blocks.import(copy, { origin: "peer" });
          expect(imported.header).toEqual(header);
          made.transactions += block.body.transactions.length;
          made.blocks += 1;
        }
      } finally {
        await maker.stop();
        await importer.stop();
      }
      expect(made.transactions).toBeGreaterThanOrEqual(wanted);
    },
    60_000 + TRANSACTIONS * 200,
  );
});

type Maker = Awaited<ReturnType<typeof startPoolNode>>;

/** Sends a creation, a call to a created contract, or a transfer. */
async function submitRandom({ pool }: Maker, dice: Dice): Promise<void> {
  const account = ACCOUNTS[dice(ACCOUNTS.length)];
  if (account === undefined) return;
  const { address: sender, key } = account;
  const nonce = pool.nextNonce(sender);
  const targets = createdBy(sender, nonce);
  const program = new RandomProgram(dice, targets);
  const kind = dice(4);
  const isCreation = kind < 2;
  const fields: UnsignedTransaction = {
    chainId: 1337n,
    nonce,
    gasLimit: oddGas(dice),
    gasPrice: BigInt(1_000_000_000 + dice(1000)),
    to: isCreation ? undefined : targets[dice(targets.length)],
    value: BigInt(dice(3)),
    data: isCreation || kind === 2 ? program.create(1 + dice(40)) : new Uint8Array(dice(100)),
  };
  try {
    await pool.submit(signTransaction(fields, key));
  } catch (error) {
    // Too little gas, most of the time: the next one differs.
    if (!(error instanceof Error) || !("reason" in error)) throw error;
  }
}

/** The addresses of a sender's latest contracts, and some that were never created. */
function createdBy(sender: Address, nonce: bigint): readonly Address[] {
  return Array.from({ length: 6 }, (_, back) =>
    contractAddress({ sender, nonce: nonce > BigInt(back) ? nonce - BigInt(back) : 0n }),
  );
}

function oddGas(dice: Dice): bigint {
  const odd = [53_000, 60_000, 99_999, 300_000, 1_000_000, 3_000_000, 16_000_000];
  return BigInt((odd[dice(odd.length)] ?? 100_000) + dice(50));
}
