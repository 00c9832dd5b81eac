import { writeFileSync } from "node:fs";
import { encodeBlock, type SealedHeader } from "@plinth/core";
import consensusClique from "@plinth/plugin-consensus-clique";
import { createTestNode } from "@plinth/testing";
import { expect, it } from "vitest";
import { cliqueGenesis, SIGNERS, sealedOn, type TestSigner } from "../support/clique-chain.js";
import { runProgram, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** More than the distance between two stored checkpoints. */
const BLOCKS = 2100;
const LIMIT_MS = 120_000;
const [A, B] = SIGNERS;

it(
  "imports a long epoch, and has its signers and votes again after a restart",
  async () => {
    using folder = temporaryFolder();
    const genesis = cliqueGenesis({
      signers: [A, B],
      clique: { period: 1 },
      timestamp: 1_700_000_000,
    });
    writeFileSync(folder.file("genesis.json"), JSON.stringify(genesis));
    writeFileSync(folder.file("chain.blocks"), await makeBlocks(genesis));

    const imported = await runProgram(
      ["--genesis-file=genesis.json", "--data-path=data", "blocks", "import", "chain.blocks"],
      { folder: folder.path },
    );
    await using node = await startNode(
      ["--genesis-file=genesis.json", "--rpc-http-enabled", "--rpc-http-api=CLIQUE,ETH"],
      { folder: folder.path },
    );

    expect(imported).toMatchObject({ code: 0, stderr: "" });
    expect(await node.rpc("clique_getSigners")).toEqual([A.address, B.address]);
    expect(await node.rpc("clique_getSnapshot")).toMatchObject({
      number: BLOCKS,
      votes: [{ signer: A.address, block: 8, address: `0x${"cd".repeat(20)}`, authorize: true }],
    });
    expect(await node.rpc("clique_getSnapshot", ["0x7"])).toMatchObject({ votes: [] });
  },
  LIMIT_MS,
);

/** Two signers in turn; one of them votes once. */
async function makeBlocks(genesis: object): Promise<Uint8Array> {
  await using node = await createTestNode({ plugins: [consensusClique], genesis });
  const { blocks } = node.node;
  const members = [A.address, B.address];
  const encoded: Uint8Array[] = [];
  let parent: SealedHeader = blocks.head();
  for (let number = 1; number <= BLOCKS; number++) {
    const signer = [A, B][number % 2] as TestSigner;
    const candidate = `0x${"cd".repeat(20)}` as const;
    const vote = number === 8 ? { vote: { candidate, kind: "add" as const } } : {};
    const block = sealedOn(parent, { signer, members, ...vote });
    encoded.push(encodeBlock(block));
    parent = blocks.seal(block.header);
  }
  return Buffer.concat(encoded);
}
