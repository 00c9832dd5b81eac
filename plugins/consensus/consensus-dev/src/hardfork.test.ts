import { createTestNode, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";

const ALLOC = { f39fd6e51aad88f6f4ce6ab8827279cfffb92266: { balance: "10000000000000000000000" } };
/** As in the profile before it named a hardfork. */
const OLD = {
  config: { chainId: 1337, londonBlock: 0, shanghaiTime: 0, dev: { beginsNow: true } },
  gasLimit: "0x1c9c380",
  difficulty: "0x1",
  alloc: ALLOC,
};
const NEW = {
  ...OLD,
  config: { chainId: 1337, londonBlock: 0, dev: { beginsNow: true, hardfork: "osaka" } },
};

async function start(genesis: object, options: Record<string, unknown> = {}) {
  const logs = recordLogs();
  const given = { genesis: { ...genesis }, options: { ...options } };
  const node = await createTestNode({ ...given, logs });
  const blocks = () => node.node.blocks;
  return {
    node,
    blocks,
    fork: () => blocks().forkAt(blocks().head()),
    warnings: () => logs.entries.filter(({ level }) => level === "warn"),
    /** Restarts on the same data, as another build or another command line would. */
    async restartWith(file: object, settings: Record<string, unknown> = {}) {
      Object.assign(given.genesis, file);
      for (const key of Object.keys(given.options)) delete given.options[key];
      Object.assign(given.options, settings);
      await node.restart();
    },
    [Symbol.asyncDispose]: () => node.stop(),
  };
}

describe("the hardfork of a development chain", () => {
  it("is taken from the genesis file", async () => {
    await using chain = await start(NEW);

    expect(chain.fork()).toBe("osaka");
    expect(chain.blocks().head().requestsHash).toBeDefined();
  });

  it("is taken from --hardfork", async () => {
    await using chain = await start(NEW, { hardfork: "cancun" });

    expect(chain.fork()).toBe("cancun");
  });

  it("of a file without one follows its config", async () => {
    await using chain = await start(OLD);

    expect(chain.fork()).toBe("shanghai");
  });

  it("is kept in a folder from an earlier build, which is logged", async () => {
    await using chain = await start(OLD);
    const { hash } = chain.blocks().head();

    await chain.restartWith(NEW);

    expect(chain.blocks().findHeader(0n)?.hash).toBe(hash);
    expect(chain.fork()).toBe("shanghai");
    expect(
      chain
        .warnings()
        .map(({ message }) => message)
        .join(),
    ).toContain("started with shanghai and keeps it");
  });

  it.each(["prague", "osaka"])("stays %s if that was chosen", async (hardfork) => {
    await using chain = await start(NEW, { hardfork });

    await chain.restartWith(NEW);

    expect(chain.fork()).toBe(hardfork);
    expect(chain.warnings()).toHaveLength(hardfork === "osaka" ? 0 : 1);
  });

  it("cannot be changed for an existing chain", async () => {
    await using chain = await start(NEW);

    await expect(chain.restartWith(NEW, { hardfork: "cancun" })).rejects.toMatchObject({
      code: "HARDFORK_KEPT",
    });
  });

  it("gives blocks a random value and a fee recipient", async () => {
    await using chain = await start(NEW);

    await chain.node.mine([], []);

    const [first, second] = [chain.blocks().findHeader(1n), chain.blocks().findHeader(2n)];
    expect(first?.mixHash).not.toBe(second?.mixHash);
    expect(BigInt(first?.coinbase ?? 0)).not.toBe(0n);
  });
});
