import { type Address, toHex, ZERO_ADDRESS } from "@plinth/core";
import type { Node } from "@plinth/node";
import consensusClique from "@plinth/plugin-consensus-clique";
import rpcClique from "@plinth/plugin-rpc-clique";
import { createTestNode, FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { cliqueGenesis, SIGNERS } from "../support/clique-chain.js";

const START_MS = 1_700_000_000_000;
const [SIGNER] = SIGNERS;
const own = SIGNER.address;
const OTHER: Address = `0x${"ef".repeat(20)}`;
const UNKNOWN = `0x${"12".repeat(32)}`;

describe("the signers of a chain", () => {
  it("are returned for the head, genesis, an epoch block, a number and a hash", async () => {
    await using chain = await startChain({ epochlength: 2 });
    await chain.rpc("clique_propose", [OTHER, true]);
    await chain.makeBlocks(1);
    const { hash } = chain.node.blocks.head();

    expect(await chain.rpc("clique_getSigners")).toEqual([own, OTHER].sort());
    expect(await chain.rpc("clique_getSigners", [null])).toEqual([own, OTHER].sort());
    expect(await chain.rpc("clique_getSigners", ["latest"])).toEqual([own, OTHER].sort());
    expect(await chain.rpc("clique_getSigners", ["finalized"])).toEqual([own, OTHER].sort());
    expect(await chain.rpc("clique_getSigners", ["earliest"])).toEqual([own]);
    expect(await chain.rpc("clique_getSigners", ["0x0"])).toEqual([own]);
    expect(await chain.rpc("clique_getSigners", ["1"])).toEqual([own, OTHER].sort());
    expect(await chain.rpc("clique_getSignersAtHash", [hash])).toEqual([own, OTHER].sort());
  });

  it("are unchanged after an epoch block, and votes are void there", async () => {
    await using chain = await startChain({ epochlength: 2 });
    await chain.makeBlocks(2);
    const epoch = chain.node.blocks.head();
    await chain.rpc("clique_propose", [OTHER, true]);
    await chain.makeBlocks(1);

    expect(toHex(epoch.extraData)).toContain(own.slice(2));
    expect(await chain.rpc("clique_getSigners", ["0x2"])).toEqual([own]);
    expect(await chain.rpc("clique_getSigners", ["0x3"])).toEqual([own, OTHER].sort());
  });
});

describe("proposals", () => {
  it("are listed, replaced, discarded, and survive a restart", async () => {
    await using chain = await startChain();
    expect(await chain.rpc("clique_propose", [OTHER, true])).toBe(true);
    expect(await chain.rpc("clique_propose", [own, "false"])).toBe(true);
    await chain.restart();

    expect(await chain.rpc("clique_proposals")).toEqual({ [OTHER]: true, [own]: false });
    expect(await chain.rpc("clique_propose", [OTHER, false])).toBe(true);
    expect(await chain.rpc("clique_proposals")).toEqual({ [OTHER]: false, [own]: false });
    expect(await chain.rpc("clique_discard", [OTHER])).toBe(true);
    expect(await chain.rpc("clique_discard", [OTHER])).toBe(false);
    expect(await chain.rpc("clique_proposals")).toEqual({ [own]: false });
  });

  it("are always reported as discarded in mode besu", async () => {
    await using chain = await startChain({}, "besu");

    expect(await chain.rpc("clique_discard", [OTHER])).toBe(true);
  });
});

describe("the metrics of signers", () => {
  it("cover the range inclusively, and the head, and genesis alone", async () => {
    await using chain = await startChain();
    expect(await chain.rpc("clique_getSignerMetrics")).toEqual(
      expect.arrayContaining([entry(ZERO_ADDRESS, 1, 0), entry(own, 0, 0)]),
    );
    await chain.makeBlocks(3);

    expect(await chain.rpc("clique_getSignerMetrics")).toEqual([
      entry(ZERO_ADDRESS, 1, 0),
      entry(own, 3, 3),
    ]);
    expect(await chain.rpc("clique_getSignerMetrics", ["0x2"])).toEqual([entry(own, 2, 3)]);
    expect(await chain.rpc("clique_getSignerMetrics", ["2", "2"])).toEqual([entry(own, 1, 2)]);
    expect(await chain.rpc("clique_getSignerMetrics", ["0x1", "0xffff"])).toEqual([
      entry(own, 3, 3),
    ]);
    expect(await chain.rpc("clique_getSignerMetrics", ["earliest", "latest"])).toHaveLength(2);
  });

  it.each(["plinth", "besu"] as const)(
    "cover 100 blocks without a range, in mode %s",
    async (mode) => {
      await using chain = await startChain({}, mode);
      await chain.makeBlocks(102);

      const [{ proposedBlockCount }] = (await chain.rpc("clique_getSignerMetrics")) as [
        { proposedBlockCount: string },
      ];
      expect(Number(proposedBlockCount)).toBe(100);
    },
  );

  it("exclude the last block in mode besu, and reject a range of one", async () => {
    await using chain = await startChain({}, "besu");
    const invalid = { code: -32602, message: "Invalid block number params" };
    await expect(chain.rpc("clique_getSignerMetrics")).rejects.toMatchObject(invalid);
    await chain.makeBlocks(3);

    expect(await chain.rpc("clique_getSignerMetrics", ["0x1"])).toEqual([entry(own, 2, 2)]);
    await expect(chain.rpc("clique_getSignerMetrics", ["0x2", "0x2"])).rejects.toMatchObject(
      invalid,
    );
    await expect(chain.rpc("clique_getSignerMetrics", ["safe"])).rejects.toMatchObject({
      code: -32603,
    });
  });
});

describe("the result of geth's methods", () => {
  it("is a snapshot of signers, recent signers and votes", async () => {
    await using chain = await startChain();
    await chain.rpc("clique_propose", [OTHER, true]);
    await chain.makeBlocks(1);
    await chain.rpc("clique_propose", [`0x${"dd".repeat(20)}`, true]);
    const { hash } = chain.node.blocks.head();

    const snapshot = await chain.rpc("clique_getSnapshot");

    expect(snapshot).toEqual({
      number: 1,
      hash,
      signers: { [own]: {}, [OTHER]: {} },
      recents: { "1": own },
      votes: [],
      tally: {},
    });
    expect(await chain.rpc("clique_getSnapshotAtHash", [hash])).toEqual(snapshot);
    expect(await chain.rpc("clique_getSnapshot", ["0x0"])).toMatchObject({
      number: 0,
      signers: { [own]: {} },
      recents: {},
    });
  });

  it("is how well signers keep to their turns", async () => {
    await using chain = await startChain();
    expect(await chain.rpc("clique_status")).toEqual({
      inturnPercent: 0,
      sealerActivity: { [own]: 0 },
      numBlocks: 0,
    });
    await chain.makeBlocks(3);

    expect(await chain.rpc("clique_status")).toEqual({
      inturnPercent: 100,
      sealerActivity: { [own]: 3 },
      numBlocks: 3,
    });
  });
});

describe("invalid queries", () => {
  const BLOCK = "Invalid block, unable to parse RLP";
  const HASH = "Invalid block hash params";
  const ADDRESS = "Invalid address params";
  const NUMBER = "Invalid block number params";

  it.each<[string, readonly unknown[], number, string]>([
    ["getSigners", ["foo"], -32602, BLOCK],
    ["getSigners", [{}], -32602, BLOCK],
    ["getSigners", ["0x99"], -39001, "Unknown block"],
    ["getSigners", ["-1"], -39001, "Unknown block"],
    ["getSignersAtHash", [], -32602, HASH],
    ["getSignersAtHash", ["0x12"], -32602, HASH],
    ["getSignersAtHash", [7], -32602, HASH],
    ["getSignersAtHash", [UNKNOWN], -39001, "Unknown block"],
    ["propose", [], -32602, ADDRESS],
    ["propose", ["0xzz", true], -32602, ADDRESS],
    ["propose", [`${OTHER}00`, true], -32602, ADDRESS],
    ["propose", [OTHER], -32602, "Invalid proposal params"],
    ["propose", [OTHER, "yes"], -32602, "Invalid proposal params"],
    ["propose", [OTHER, 1], -32602, "Invalid proposal params"],
    ["propose", [ZERO_ADDRESS, true], -32600, "Invalid Request"],
    ["discard", [], -32602, ADDRESS],
    ["discard", [true], -32602, ADDRESS],
    ["getSignerMetrics", ["x"], -32602, NUMBER],
    ["getSignerMetrics", ["0x2", "0x1"], -32602, NUMBER],
    ["getSignerMetrics", ["0x99"], -32602, NUMBER],
    ["getSignerMetrics", ["safe"], -39001, "Unknown block"],
    ["getSnapshot", ["0x99"], -39001, "Unknown block"],
    ["getSnapshotAtHash", [UNKNOWN], -39001, "Unknown block"],
  ])("clique_%s %j", async (name, params, code, message) => {
    await using chain = await startChain();

    await expect(chain.rpc(`clique_${name}`, params)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(new RegExp(`^${message}`)),
    });
  });

  it.each<[string, readonly unknown[], "besu" | "spec", number, string]>([
    ["getSigners", ["0x99"], "besu", -32603, "Internal error"],
    ["getSignersAtHash", [UNKNOWN], "besu", -32603, "Internal error"],
    ["getSigners", ["0x99"], "spec", -32000, "unknown block"],
  ])("clique_%s %j in mode %s", async (name, params, mode, code, message) => {
    await using chain = await startChain({}, mode);

    await expect(chain.rpc(`clique_${name}`, params)).rejects.toMatchObject({ code, message });
  });

  it.each([
    ["plinth", "Method not enabled: the genesis file selects another engine than clique"],
    ["besu", "Method not enabled"],
  ])("queries about a chain of another engine, in mode %s", async (rpcCompatibility, message) => {
    await using node = await createTestNode({
      plugins: [consensusClique, rpcClique],
      options: { rpcCompatibility },
    });

    for (const name of ["getSigners", "proposals", "propose", "discard", "getSignerMetrics"]) {
      const asked = node.rpc(`clique_${name}`, []);
      await expect(asked).rejects.toMatchObject({ code: -32604, message });
    }
  });
});

function entry(address: Address, count: number, last: number) {
  return {
    address,
    proposedBlockCount: `0x${count.toString(16)}`,
    lastProposedBlockNumber: `0x${last.toString(16)}`,
  };
}

/** A chain with one signer, on a manual clock. */
async function startChain(clique: object = {}, rpcCompatibility = "plinth") {
  const clock = new FakeClock(START_MS);
  const test = await createTestNode({
    plugins: [consensusClique, rpcClique],
    key: toHex(SIGNER.key),
    options: { rpcCompatibility },
    genesis: cliqueGenesis({
      signers: [SIGNER],
      clique: { blockperiodseconds: 1, ...clique },
      config: { londonBlock: 0 },
      timestamp: START_MS / 1000,
    }),
    clock,
  });
  return {
    get node(): Node {
      return test.node;
    },
    rpc: test.rpc,
    restart: () => test.restart(),
    async makeBlocks(count: number) {
      const { number } = test.node.blocks.head();
      while (test.node.blocks.head().number < number + BigInt(count)) await clock.advance(500);
    },
    [Symbol.asyncDispose]: () => test.stop(),
  };
}
