import { ALICE, BOB, createTestNode, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import type { Hash } from "../primitives/hex.js";

const UNKNOWN: Hash = `0x${"11".repeat(32)}`;

describe("the state in the middle of a block", () => {
  it("is the one before each transaction, and after the last", async () => {
    const { replay } = await mineBlock();

    for (const index of [0, 1, 2, 3]) {
      const replayed = await replay(index);
      expect(replayed?.state.findAccount(BOB)?.balance ?? 0n).toBe(BigInt(index));
      expect(replayed?.state.findAccount(ALICE.address)?.nonce).toBe(BigInt(index));
      expect(replayed?.context.number).toBe(1n);
    }
  });

  it("changes nothing", async () => {
    const { replay, blocks, header } = await mineBlock();

    await replay(3);

    expect(blocks.head()).toEqual(header);
    expect(blocks.stateAt(header).findAccount(BOB)?.balance).toBe(3n);
  });

  it("is not there before the first or after the last transaction", async () => {
    const { replay } = await mineBlock();

    await expect(replay(4)).rejects.toThrow(
      "block 1 has 3 transactions; there is no state before number 4",
    );
    await expect(replay(-1)).rejects.toThrow(RangeError);
  });

  it("is not known of blocks that are not, and of the first", async () => {
    const { blocks } = await mineBlock();

    expect(await blocks.replay(UNKNOWN, 0)).toBeUndefined();
    expect(await blocks.replay(blocks.findHeader(0n)?.hash ?? UNKNOWN, 0)).toBeUndefined();
  });
});

/** A block with three transfers of 1 wei to Bob. */
async function mineBlock() {
  const node = await createTestNode();
  const [header] = await node.mine([transfer(), transfer(), transfer()]);
  const { blocks } = node.node;
  if (header === undefined || blocks === undefined) throw new Error("no block was made");
  return { blocks, header, replay: (index: number) => blocks.replay(header.hash, index) };
}
