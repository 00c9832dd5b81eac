import { toHex } from "@plinth/core";
import consensusClique from "@plinth/plugin-consensus-clique";
import rpcEth from "@plinth/plugin-rpc-eth";
import { createInside, createTestNode, FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { cliqueGenesis, SIGNERS, sealedOn } from "../support/clique-chain.js";

const START_SECONDS = 1_700_000_000;
const [OWN, SECOND, THIRD] = SIGNERS;
const HOUR_MS = 3_600_000;

async function start(
  clique: object,
  signers = [OWN],
  options: Readonly<Record<string, unknown>> = {},
) {
  const clock = new FakeClock(START_SECONDS * 1000);
  const logs = recordLogs();
  const inside = createInside();
  const test = await createTestNode({
    plugins: [consensusClique, rpcEth, inside.plugin],
    key: toHex(OWN.key),
    options,
    genesis: cliqueGenesis({ signers, clique, timestamp: START_SECONDS }),
    clock,
    logs,
  });
  const check = async (name: string) => {
    const { checks } = await inside.runtime().health.report();
    return checks.find((each) => each.name === name);
  };
  return {
    test,
    clock,
    logs,
    check,
    metric: (name: string) =>
      inside
        .runtime()
        .metrics.collect()
        .find((family) => family.name === `plinth_consensus_clique_${name}`)?.samples,
    [Symbol.asyncDispose]: () => test.stop(),
  };
}

describe("a signer", () => {
  it("reports at startup how many signers may be down", async () => {
    await using signer = await start({ period: 1 }, [OWN, SECOND, THIRD]);

    expect(signer.logs.entries.map(({ message }) => message)).toContain(
      `Clique: 3 signers, up to 1 may be down while blocks are produced; this node signs as ${OWN.address}`,
    );
  });

  it("is healthy while nothing is pending, on a chain without empty blocks", async () => {
    await using signer = await start({ blockperiodseconds: 1, createemptyblocks: false });

    await signer.clock.advance(HOUR_MS);

    expect(signer.test.node.blocks.head().number).toBe(0n);
    expect(await signer.check("head")).toBeUndefined();
  });

  it("waits for others after its block, and reports it; signers that miss turns are named", async () => {
    await using signer = await start({ blockperiodseconds: 1 }, [OWN, SECOND, THIRD]);
    const { blocks } = signer.test.node;
    const members = [OWN, SECOND, THIRD].map(({ address }) => address).sort();
    while (blocks.head().number === 0n) await signer.clock.advance(500);

    expect(await signer.check("signing")).toMatchObject({
      status: "up",
      detail: `signs nothing: ${OWN.address} signed block 1 and leaves the next 1 to other signers`,
    });
    while (blocks.head().number < 12n) {
      const { number } = blocks.head();
      const block = sealedOn(blocks.head(), { signer: SECOND, members });
      await blocks.import(block, { origin: "peer" });
      while (blocks.head().number < number + 2n) await signer.clock.advance(500);
    }

    expect(await signer.check("signers")).toMatchObject({
      status: "degraded",
      detail: expect.stringContaining(`${THIRD.address} missed its last`),
    });
    const value = Number(
      signer.metric("in_turn_misses_total")?.find(({ labels }) => labels.signer === THIRD.address)
        ?.value,
    );
    expect(value).toBeGreaterThanOrEqual(3);
    expect(signer.metric("signer_last_block")).toHaveLength(3);
  });

  it("receives the fees itself, whatever its votes", async () => {
    await using signer = await start({ blockperiodseconds: 1 });

    expect(await signer.test.rpc("eth_coinbase")).toBe(OWN.address);
    expect(await signer.test.rpc("eth_mining")).toBe(true);
  });

  it("puts the extra data of its operator at the end of the vanity", async () => {
    await using signer = await start({ blockperiodseconds: 1 }, [OWN], {
      minerExtraData: "0x0102",
    });
    const { blocks } = signer.test.node;
    while (blocks.head().number === 0n) await signer.clock.advance(500);

    expect([...blocks.head().extraData.slice(0, 32)]).toEqual([...new Uint8Array(30), 1, 2]);
    expect(blocks.head().extraData).toHaveLength(97);
  });

  it("produces the same block again after the head was rewound", async () => {
    await using signer = await start({ blockperiodseconds: 1 });
    const { blocks } = signer.test.node;
    while (blocks.head().number < 3n) await signer.clock.advance(500);
    const second = blocks.findHeader(2n);
    const first = blocks.findHeader(1n);
    if (first === undefined) throw new Error("there is no block 1");

    await blocks.setHead(first.hash);
    while (blocks.head().number < 4n) await signer.clock.advance(500);

    expect(blocks.findHeader(2n)).toEqual(second);
  });

  it("signs nothing that is too far back to be remembered, reports it, and continues from there", async () => {
    await using signer = await start({ blockperiodseconds: 1 });
    const { blocks } = signer.test.node;
    while (blocks.head().number < 140n) await signer.clock.advance(1000);
    const [first, near] = [blocks.findHeader(1n), blocks.findHeader(20n)];
    if (first === undefined || near === undefined) throw new Error("a block is missing");

    await blocks.setHead(first.hash);
    for (let second = 0; second < 5; second++) await signer.clock.advance(1000);
    expect(blocks.head().number).toBe(1n);
    expect(await signer.check("signing")).toMatchObject({
      status: "degraded",
      detail: expect.stringContaining("it has already signed block 140"),
    });

    await blocks.setHead(near.hash);
    while (blocks.head().number < 142n) await signer.clock.advance(1000);
    expect(await signer.check("signing")).toMatchObject({ status: "up" });
  });
});
