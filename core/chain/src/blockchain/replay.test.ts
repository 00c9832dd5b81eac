import type { Hash } from "@plinth/core";
import { ALICE, BOB, createTestNode, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";

const UNKNOWN: Hash = `0x${"11".repeat(32)}`;

describe("a replayed block", () => {
  it("has the state before each transaction, and after the last", async () => {
    const { open } = await mineBlock();
    using replay = await open();

    for (const count of [0, 1, 2, 3]) {
      await replay.runTo(count);
      expect(replay.state.findAccount(BOB)?.balance ?? 0n).toBe(BigInt(count));
      expect(replay.state.findAccount(ALICE.address)?.nonce).toBe(BigInt(count));
      expect(replay.position).toBe(count);
    }
    expect(replay.transaction).toBeUndefined();
    expect(replay.context.number).toBe(1n);
  });

  it("changes nothing", async () => {
    const { open, blocks, block } = await mineBlock();
    using replay = await open();

    await replay.runTo(3);

    expect(blocks.head()).toEqual(block.header);
    expect(blocks.stateAt(block.header).findAccount(BOB)?.balance).toBe(3n);
  });

  it("lets a tracer follow one transaction", async () => {
    const { open } = await mineBlock();
    using replay = await open();
    const heard: string[] = [];

    await replay.runTo(1);
    const result = await replay.run({ enter: ({ from }) => heard.push(from) });

    expect(heard).toEqual([ALICE.address]);
    expect(result.gasUsed).toBe(21_000n);
  });

  it("fails with the error of its tracer", async () => {
    const { open } = await mineBlock();
    using replay = await open();
    const enter = () => {
      throw new Error("enough");
    };

    await expect(replay.run({ enter })).rejects.toThrow("enough");
  });

  it("has no state beyond its transactions, and cannot go back", async () => {
    const { open } = await mineBlock();
    using replay = await open();

    await expect(replay.runTo(4)).rejects.toThrow(
      "block 1 has 3 transactions; there is no state after 4 of them",
    );
    await replay.runTo(3);
    await expect(replay.runTo(2)).rejects.toThrow(RangeError);
    await expect(replay.run()).rejects.toThrow("block 1 has no transaction 3");
  });

  it("ends with what its header commits to", async () => {
    const { open, blocks, block } = await mineBlock();
    using replay = await open();

    await replay.runTo(1);
    expect(replay.receipts).toHaveLength(1);
    const result = await replay.finish();

    const { gasUsed, receiptsRoot, logsBloom } = block.header;
    expect(result).toMatchObject({ gasUsed, receiptsRoot, logsBloom });
    expect(result.receipts).toHaveLength(3);
    expect(blocks.rootOf(replay)).toBe(block.header.stateRoot);
  });

  it("names the accounts and slots that were read or changed", async () => {
    const { open, block } = await mineBlock();
    using replay = await open();

    await replay.finish();
    replay.state.setStorage(BOB, UNKNOWN, 1n);

    const accessed = new Map(Array.from(replay.state.accessed(), (each) => [each.address, each]));
    expect([...accessed.keys()].sort()).toEqual([ALICE.address, BOB, block.header.coinbase].sort());
    expect(accessed.get(BOB)?.slots).toEqual(new Set([UNKNOWN]));
  });

  it("is adopted with a state and receipts of the header, whatever its execution gave", async () => {
    const { open, blocks, block } = await mineBlock();
    const receipts = blocks.findReceipts(block.header.hash) ?? [];
    await blocks.setHead(block.header.parentHash);
    using replay = await open();

    await expect(blocks.adopt(replay, [])).rejects.toMatchObject({ rule: "adopted" });
    await expect(blocks.adopt(replay, receipts)).rejects.toMatchObject({ rule: "adopted" });
    await replay.finish();
    const { placement } = await blocks.adopt(replay, receipts);

    expect(placement).toBe("head");
    expect(blocks.head().hash).toBe(block.header.hash);
    expect(blocks.stateAt(block.header).findAccount(BOB)?.balance).toBe(3n);
  });

  it("is not possible without the parent block", async () => {
    const { blocks, block } = await mineBlock();
    const genesis = blocks.findBlock(block.header.parentHash);
    const orphan = { ...block, header: { ...block.header, parentHash: UNKNOWN } };

    expect(genesis && (await blocks.replay(genesis))).toBeUndefined();
    expect(await blocks.replay(orphan)).toBeUndefined();
  });
});

/** A block with three transfers of 1 wei to Bob. */
async function mineBlock() {
  const node = await createTestNode();
  const [header] = await node.mine([transfer(), transfer(), transfer()]);
  const { blocks } = node.node;
  const block = header && blocks.findBlock(header.hash);
  if (block === undefined || blocks === undefined) throw new Error("no block was made");
  const open = async () => {
    const replay = await blocks.replay(block);
    if (replay === undefined) throw new Error("the block cannot be replayed");
    return replay;
  };
  return { blocks, block, open };
}
