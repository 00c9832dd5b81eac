import { type Block, getCrypto, type Hash, type SealedHeader } from "@plinth/core";
import { sealHeader } from "@plinth/core/blocks";
import { expect, it } from "vitest";
import { cliqueGenesis, sealedOn, type TestSigner } from "../support/clique-chain.js";
import { lyingEth } from "../support/lying-peer.js";
import { startEngine } from "../support/sealed-headers.js";
import { createDisk, createWorld, fillDisk, watch } from "../support/snap-world.js";

/** A Clique chain whose signers take turns, without transactions. */
async function makeChain(signerCount: number, count: number) {
  const signers: readonly TestSigner[] = Array.from({ length: signerCount }, (_, index) => {
    const key = new Uint8Array(32).fill(index + 1);
    return { key, address: getCrypto().addressOf(getCrypto().publicKeyOf(key)) };
  }).sort((a, b) => (a.address < b.address ? -1 : 1));
  const genesis = cliqueGenesis({ signers });
  await using node = await startEngine(genesis);
  const members = signers.map(({ address }) => address);
  const headers = [node.genesis];
  const blocks: Block[] = [];
  for (let number = 1; number <= count; number++) {
    const signer = signers[number % signerCount] as TestSigner;
    const block = sealedOn(headers.at(-1) as SealedHeader, { signer, members });
    blocks.push(block);
    headers.push(sealHeader(block.header, node.engine.hashHeader(block.header)));
  }
  return { chain: { genesis, blocks }, headers, hashOf: node.engine.hashHeader.bind(node.engine) };
}

it.each([
  [34, "which need more headers than usual to prove a block", 22n],
  [3, "which need few", 26n],
])("a node joins a Clique chain of %i signers, %s", async (signers, _, joinedAt) => {
  const { chain } = await makeChain(signers, 90);
  const world = createWorld(chain, await fillDisk(chain, 90));
  await using _peer = await world.startPeer("peer");
  const joiner = await world.createJoiner(await createDisk());
  const started = watch(joiner.start());

  await world.until(() => started.isOver);

  expect(joiner.blocks.oldestStates().values).toBe(joinedAt);
  await joiner.stop();
});

it("a node says that a Clique chain has too many signers to be joined by peers", async () => {
  const { chain } = await makeChain(60, 130);
  const world = createWorld(chain, await fillDisk(chain, 130));
  await using _peer = await world.startPeer("peer");
  const joiner = await world.createJoiner(await createDisk());
  const started = joiner.start();
  const watched = watch(started);

  await world.until(() => watched.isOver);

  await expect(started).rejects.toMatchObject({ code: "JOIN_INCOMPLETE" });
  await expect(started).rejects.toThrow("so many signers that 120 headers");
});

it("a peer that forges headers after the block is disconnected, and not the one that named it", async () => {
  const { chain, headers, hashOf } = await makeChain(1, 90);
  const world = createWorld(chain, await fillDisk(chain, 90));
  // The last ones have another gas limit, and so no valid seal.
  const forged: SealedHeader[] = headers.slice(0, 28);
  for (const { hash, ...header } of headers.slice(28)) {
    const parentHash = forged.at(-1)?.hash as Hash;
    const changed = { ...header, parentHash, gasLimit: header.gasLimit + 1n };
    forged.push(sealHeader(changed, hashOf(changed)));
  }
  // It names no block, and so is asked for what another one has named.
  const eth = lyingEth({
    genesis: chain.genesis,
    headers: forged,
    respond: ({ start, skip }, found) =>
      typeof start === "bigint" || skip > 0n ? undefined : found,
  });
  await using liar = await world.startPeer("liar", { eth });
  const joiner = await world.createJoiner(await createDisk());
  const started = watch(joiner.start());
  await world.untilLine("Joining the chain by peers");
  await world.clock.advance(1_000);
  await using honest = await world.startPeer("honest");

  await world.until(() => started.isOver);

  expect(joiner.blocks.oldestStates().values).toBe(26n);
  const idOf = ({ node }: typeof honest) => node.network?.localNode?.enode.id ?? "none";
  const ended = world.lines().filter((line) => line.startsWith("disconnecting peer"));
  expect(ended).toEqual([expect.stringContaining("its chain is not proven")]);
  expect(ended.join()).toContain(idOf(liar));
  await joiner.stop();
});
