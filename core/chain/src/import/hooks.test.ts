import type { SealedBlock } from "@plinth/core";
import { definePlugin, FutureBlock, InvalidBlock } from "@plinth/core";
import { createNode } from "@plinth/node";
import { createTestNode, DEV_GENESIS, devChain, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";

async function makeBlock(): Promise<SealedBlock> {
  await using node = await createTestNode();
  await node.mine([transfer()]);
  const { blocks } = node.node;
  const block = blocks.findBlock(blocks.head().hash);
  if (block === undefined) throw new Error("a block was not made");
  return block;
}

/** A chain that records the called hooks; one of them may reject, permanently or temporarily. */
async function openChain(refusing = "", isEarly?: () => boolean) {
  const seen: string[] = [];
  const note = (name: string) => () => {
    seen.push(name);
    if (name !== refusing) return;
    if (isEarly === undefined) throw new InvalidBlock("taste", `${name} does not like it`);
    if (isEarly()) throw new FutureBlock({ number: 1n, timestamp: 2n ** 40n }, 0n);
  };
  const watcher = definePlugin({
    name: "watcher",
    setup({ hooks: { chain } }) {
      chain.verifyHeader.tap(note("verifyHeader"));
      chain.verifyBlock.tap(note("verifyBlock"));
      chain.beforeExecution.tap(note("beforeExecution"));
      chain.executed.tap(note("executed"));
      chain.commit.tap(note("commit"));
      chain.imported.tap(note("imported"));
      chain.badBlock.tap(note("badBlock"));
      chain.headChanged.tap(note("headChanged"));
    },
  });
  const node = await createNode({
    plugins: [watcher, ...devChain],
    options: { keyValueStorage: "memory" },
    genesis: DEV_GENESIS,
  });
  await node.open();
  const { blocks } = node;
  return { blocks, seen, [Symbol.asyncDispose]: () => node.stop() };
}

describe("a block being imported", () => {
  it("passes every hook in order, once", async () => {
    await using chain = await openChain();

    await chain.blocks.import(await makeBlock(), { origin: "peer" });

    expect(chain.seen).toEqual([
      "verifyHeader",
      "verifyBlock",
      "beforeExecution",
      "executed",
      "commit",
      "imported",
      "headChanged",
    ]);
    expect(chain.blocks.badBlocks()).toEqual([]);
  });

  it.each(["verifyHeader", "verifyBlock", "beforeExecution", "executed"])(
    "is rejected permanently by %s, and stored with the reason",
    async (name) => {
      await using chain = await openChain(name);
      const block = await makeBlock();

      await expect(chain.blocks.import(block, { origin: "peer" })).rejects.toThrow(
        `${name} does not like it`,
      );

      expect(chain.blocks.head().number).toBe(0n);
      expect(chain.seen.at(-1)).toBe("badBlock");
      expect(chain.blocks.badBlocks()).toMatchObject([
        { block: { header: { hash: block.header.hash } }, error: { rule: "taste" } },
      ]);
    },
  );

  it("is deferred, and not a bad block, if its time has not come", async () => {
    const early = { is: true };
    await using chain = await openChain("verifyHeader", () => early.is);
    const block = await makeBlock();

    expect(await chain.blocks.import(block, { origin: "peer" })).toMatchObject({
      placement: "deferred",
      awaits: "time",
    });
    expect(chain.seen).not.toContain("badBlock");
    expect(chain.blocks.badBlocks()).toEqual([]);
    early.is = false;

    expect((await chain.blocks.import(block, { origin: "peer" })).placement).toBe("head");
  });

  it("is not written if chain.commit rejects it", async () => {
    await using chain = await openChain("commit");

    await expect(chain.blocks.import(await makeBlock(), { origin: "peer" })).rejects.toThrow(
      "does not like it",
    );

    expect(chain.blocks.head().number).toBe(0n);
    expect(chain.blocks.findHeader(1n)).toBeUndefined();
  });
});
