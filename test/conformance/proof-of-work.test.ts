import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, InvalidBlock, type Plugin } from "@plinth/core";
import ethash from "@plinth/plugin-consensus-ethash";
import pos from "@plinth/plugin-consensus-pos";
import evmPlinth from "@plinth/plugin-evm-plinth";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import { CONFORMANCE, isConformanceMissing, isEveryTestWanted } from "../support/conformance.js";
import { unsealed } from "../support/unsealed.js";

const TIMEOUT_MS = 300_000;

/** Number of imported mainnet blocks, of 999: a short form, and all of them. */
const MAINNET_BLOCKS = isEveryTestWanted ? 999 : 150;

describe.skipIf(isConformanceMissing)("chains sealed by others", { timeout: TIMEOUT_MS }, () => {
  it.each([
    ["mainnet", "import/mainnet/mainnet.json", "import/mainnet/1000.blocks", MAINNET_BLOCKS],
    [
      "into London",
      "import/london/testLondonGenesis.json",
      "import/london/testLondonBlockchain.blocks",
      5,
    ],
    ["a fixed difficulty", "besu-trace-chain/genesis.json", "besu-trace-chain/chain.blocks", 33],
    [
      "Frontier, then the merge at a time",
      "besu-chain/genesis.json",
      "besu-chain/chain.blocks",
      34,
    ],
  ])("are imported, with every seal verified: %s", async (_, genesis, file, last) => {
    await using chain = await openChain(genesis);
    const blocks = [...readBlocks(join(CONFORMANCE, file))].slice(0, last + 1);

    const placements = await importAll(chain, blocks);

    expect(placements).toEqual({ known: 1, head: last });
    expect(chain.blocks.head().number).toBe(BigInt(last));
  });

  it("are rejected at the block with the broken seal", async () => {
    await using chain = await openChain("import/mainnet/mainnet.json");
    const blocks = [...readBlocks(join(CONFORMANCE, "import/mainnet/badpow.blocks"))];

    expect(await importAll(chain, blocks)).toEqual({ known: 1, seal: 1 });
    expect(chain.blocks.head().number).toBe(0n);
  });
});

describe.skipIf(isConformanceMissing)("a chain without seals", () => {
  it.each([
    ["through every fork and the merge", "execution-apis-latest", 54],
    ["merged from the beginning", "execution-apis-cancun", 20],
  ])("is imported if seals do not count: one %s", async (_, folder, count) => {
    await using chain = await openChain(`${folder}/genesis.json`, [unsealed]);

    const placements = await importAll(chain, blocksOf(folder));

    expect(placements).toEqual({ head: count });
    expect(chain.blocks.head()).toMatchObject({ number: BigInt(count), difficulty: 0n });
  });

  it("is rejected if they do", async () => {
    await using chain = await openChain("execution-apis-latest/genesis.json");

    const [first] = blocksOf("execution-apis-latest");

    expect(first && (await importAll(chain, [first]))).toEqual({ seal: 1 });
  });
});

function blocksOf(folder: string): readonly Block[] {
  return [...readBlocks(join(CONFORMANCE, folder, "chain.rlp"))];
}

async function openChain(genesis: string, plugins: readonly Plugin[] = []) {
  const node = await createTestNode({
    plugins: [evmPlinth, ethash, pos, ...plugins],
    genesis: JSON.parse(readFileSync(join(CONFORMANCE, genesis), "utf8")),
  });
  const { blocks } = node.node;
  return { blocks, [Symbol.asyncDispose]: () => node.stop() };
}

/** Number of blocks by outcome, or by broken rule. */
async function importAll(
  { blocks }: Awaited<ReturnType<typeof openChain>>,
  list: readonly Block[],
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const block of list) {
    const outcome = await blocks.import(block, { origin: "peer" }).then(
      ({ placement }) => placement,
      (error) => {
        if (error instanceof InvalidBlock) return error.rule;
        throw error;
      },
    );
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
