import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConsensusEngine, SealedHeader } from "@plinth/core";
import { sealHeader } from "@plinth/core/blocks";
import type { HeaderTrust } from "@plinth/core/consensus";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import { cliqueGenesis, SIGNERS, sealedOn, type TestSigner } from "../support/clique-chain.js";
import { VECTORS } from "../support/conformance.js";
import {
  addressesOf,
  bftGenesis,
  type EngineNode,
  type HeaderWish,
  sealedHeaderOn,
  startEngine,
} from "../support/sealed-headers.js";

const FOUR = SIGNERS.slice(0, 4);
const [ANNA, , , , EVE] = SIGNERS as unknown as readonly [
  TestSigner,
  TestSigner,
  TestSigner,
  TestSigner,
  TestSigner,
];
const CONTRACT = `0x${"cc".repeat(20)}`;
const CODECS = { qbft: qbftExtraData, ibft2: ibftExtraData };

/** The number of the last proven header of a chain; rejects with `InvalidBlock`. */
async function prove(
  { engine, genesis }: Pick<EngineNode, "engine" | "genesis">,
  headers: readonly SealedHeader[],
  trust: HeaderTrust = {},
): Promise<bigint> {
  const proof = engine.proveHeaders?.(genesis, trust);
  if (proof === undefined) throw new Error("the engine proves no headers");
  for (const header of headers) await proof.add(header);
  return proof.finish();
}

/** Headers one after the other. */
function chainOf(genesis: SealedHeader, wishes: readonly HeaderWish[]): readonly SealedHeader[] {
  const headers = [genesis];
  for (const wish of wishes) headers.push(sealedHeaderOn(headers.at(-1) as SealedHeader, wish));
  return headers.slice(1);
}

/** A header with other seals, and so with the same hash. */
function resealed(
  header: SealedHeader,
  codec: typeof qbftExtraData,
  change: (seals: readonly Uint8Array[]) => readonly Uint8Array[],
): SealedHeader {
  const data = codec.decode(header.extraData);
  const extraData = codec.encode({ ...data, seals: change(data.seals) });
  return sealHeader({ ...header, extraData }, header.hash);
}

function readNetwork(name: string, engine: Pick<ConsensusEngine, "hashHeader">) {
  const blocks = [...readBlocks(join(VECTORS, "besu-networks", name, "chain.blocks"))];
  return blocks.slice(1).map(({ header }) => sealHeader(header, engine.hashHeader(header)));
}

function genesisOf(name: string): object {
  return JSON.parse(readFileSync(join(VECTORS, "besu-networks", name, "genesis.json"), "utf8"));
}

describe("chains of running networks", () => {
  it.each([
    ["qbft-votes", "qbft", 104n],
    ["qbft-zero-base-fee", "qbft", 155n],
    ["qbft-overrides", "qbft", 30n],
    ["ibft2-votes", "ibft2", 85n],
  ] as const)(
    "%s is proven, and not with a seal less at a change of its set",
    async (name, key, head) => {
      await using node = await startEngine(genesisOf(name));
      const headers = readNetwork(name, node.engine);
      const codec = CODECS[key];
      const setOf = (header: SealedHeader | undefined) =>
        header && String(codec.decodeValidators(header.extraData));
      const ends = headers.flatMap((header, at) =>
        setOf(header) === setOf(headers[at + 1]) ? [] : [at],
      );

      expect(await prove(node, headers)).toBe(head);
      for (const end of ends) {
        const cut = headers.with(
          end,
          resealed(headers[end] as SealedHeader, codec, (seals) => seals.slice(0, 1)),
        );
        await expect(prove(node, cut)).rejects.toMatchObject({ rule: "seals" });
      }
    },
  );

  it.each([
    ["clique-votes", 73n - 6n],
    ["clique-no-empty", 19n - 6n],
  ])("%s is proven up to a header that enough signers have built on", async (name, proven) => {
    await using node = await startEngine(genesisOf(name));

    expect(await prove(node, readNetwork(name, node.engine))).toBe(proven);
  });
});

describe.each(["qbft", "ibft2"] as const)("a proof by %s", (key) => {
  const listed = { key, listed: FOUR };

  it("needs the seals of the last header only, while the set stays", async () => {
    await using node = await startEngine(bftGenesis(key, FOUR));
    const unsealed = { ...listed, sealers: [], producer: ANNA };

    expect(await prove(node, chainOf(node.genesis, [unsealed, unsealed, listed]))).toBe(3n);
    expect(await prove(node, [])).toBe(0n);
  });

  it.each<[string, string, readonly HeaderWish[]]>([
    ["seals of too few", "seals", [listed, { ...listed, sealers: FOUR.slice(0, 2) }]],
    [
      "a seal of another account",
      "seals",
      [{ ...listed, sealers: [...FOUR.slice(0, 2), EVE], producer: ANNA }],
    ],
    ["two seals of one validator", "seals", [{ ...listed, sealers: [ANNA, ANNA, ANNA] }]],
    ["another set", "validators", [{ ...listed, listed: [EVE], producer: ANNA }]],
    ["a producer that is not a validator", "coinbase", [{ ...listed, producer: EVE }]],
    ["another number", "number", [{ ...listed, change: { number: 2n } }]],
    [
      "another parent",
      "parent",
      [listed, { ...listed, change: { parentHash: `0x${"11".repeat(32)}` } }],
    ],
    ["the time of its parent", "timestamp", [{ ...listed, change: { timestamp: 0n } }]],
  ])("refuses a header with %s", async (_, rule, wishes) => {
    await using node = await startEngine(bftGenesis(key, FOUR));

    await expect(prove(node, chainOf(node.genesis, wishes))).rejects.toMatchObject({ rule });
  });

  it("counts votes, and needs the seals of those who elect a set", async () => {
    await using node = await startEngine(bftGenesis(key, FOUR));
    const drop = (producer: TestSigner): HeaderWish => ({
      ...listed,
      producer,
      vote: { candidate: ANNA.address, kind: "drop" },
    });
    const [, bert, carl, dora] = FOUR as unknown as readonly [
      TestSigner,
      TestSigner,
      TestSigner,
      TestSigner,
    ];
    const three = { key, listed: [bert, carl, dora] };
    const votes = [drop(bert), drop(carl), drop(dora)];
    const forged = votes.with(2, { ...drop(dora), sealers: [dora] });
    const former = { ...three, sealers: [ANNA, bert, carl], producer: bert };

    expect(await prove(node, chainOf(node.genesis, [...votes, three]))).toBe(4n);
    await expect(prove(node, chainOf(node.genesis, [...forged, three]))).rejects.toMatchObject({
      rule: "seals",
    });
    await expect(prove(node, chainOf(node.genesis, [...votes, former]))).rejects.toMatchObject({
      rule: "seals",
    });
  });
});

describe("a contract that determines the validators", () => {
  const qbft = { blockperiodseconds: 1, validatorcontractaddress: CONTRACT };

  it("needs the validators that the operator names", async () => {
    await using node = await startEngine(bftGenesis("qbft", [], { qbft }));
    const headers = chainOf(node.genesis, [{ sealers: [EVE] }, { sealers: FOUR }]);

    expect(await prove(node, headers, { validators: addressesOf(FOUR) })).toBe(2n);
    await expect(prove(node, headers)).rejects.toMatchObject({ rule: "validator-contract" });
    await expect(prove(node, headers, { validators: [EVE.address] })).rejects.toMatchObject({
      rule: "seals",
    });
    await expect(prove(node, headers, { validators: [] })).rejects.toMatchObject({
      rule: "validators",
    });
  });

  it("needs none once the genesis file names them again", async () => {
    const back = { block: 2, validatorselectionmode: "blockheader", validators: addressesOf(FOUR) };
    const config = { qbft, transitions: { qbft: [back] } };
    await using node = await startEngine(bftGenesis("qbft", [], config));
    const headers = chainOf(node.genesis, [{ sealers: [EVE] }, { listed: FOUR }, { listed: FOUR }]);

    expect(await prove(node, headers)).toBe(3n);
  });
});

describe("a chain that changes from IBFT 2.0 to QBFT", () => {
  const config = {
    ibft2: { blockperiodseconds: 1 },
    qbft: { blockperiodseconds: 1, startblock: 3 },
  };
  const [ibft, qbft] = [
    { key: "ibft2", listed: FOUR },
    { key: "qbft", listed: FOUR },
  ] as const;

  it("is proven by both engines", async () => {
    await using node = await startEngine(bftGenesis("ibft2", FOUR, config));

    expect(await prove(node, chainOf(node.genesis, [ibft, ibft, qbft, qbft]))).toBe(4n);
    expect(await prove(node, chainOf(node.genesis, [ibft]))).toBe(1n);
  });

  it("needs the seals of the last header of each", async () => {
    await using node = await startEngine(bftGenesis("ibft2", FOUR, config));
    const few = (wish: HeaderWish) => ({ ...wish, sealers: [ANNA] });

    for (const wishes of [
      [ibft, few(ibft), qbft],
      [ibft, ibft, few(qbft)],
    ]) {
      await expect(prove(node, chainOf(node.genesis, wishes))).rejects.toMatchObject({
        rule: "seals",
      });
    }
  });
});

describe("a proof by Clique", () => {
  const three = SIGNERS.slice(0, 3);
  const members = addressesOf(three);
  const signedBy = (parent: SealedHeader, signer: TestSigner, engine: ConsensusEngine) => {
    const { header } = sealedOn(parent, { signer, members });
    return sealHeader(header, engine.hashHeader(header));
  };
  const extend = ({ engine, genesis }: EngineNode, signers: readonly TestSigner[]) => {
    const headers = [genesis];
    for (const signer of signers) {
      headers.push(signedBy(headers.at(-1) as SealedHeader, signer, engine));
    }
    return headers.slice(1);
  };

  it("refuses signers that are none, or that must wait", async () => {
    await using node = await startEngine(cliqueGenesis({ signers: three }));
    const [a, b, c] = three as unknown as readonly [TestSigner, TestSigner, TestSigner];

    expect(await prove(node, extend(node, [a, b, c, a, b, c, a]))).toBe(1n);
    expect(await prove(node, extend(node, [a, b, c]))).toBe(0n);
    await expect(prove(node, extend(node, [a, EVE]))).rejects.toMatchObject({ rule: "signer" });
    await expect(prove(node, extend(node, [a, a]))).rejects.toMatchObject({
      rule: "recently-signed",
    });
    const [first, , third] = extend(node, [a, b, c]);
    await expect(prove(node, [first, third] as readonly SealedHeader[])).rejects.toMatchObject({
      rule: "number",
    });
  });
});

describe("an engine without seals", () => {
  it("proves nothing, alone or before the merge", async () => {
    await using work = await startEngine({
      config: { chainId: 1, ethash: {} },
      difficulty: "0x1",
      gasLimit: "0x1c9c380",
    });

    expect(work.engine.proveHeaders).toBeUndefined();
  });
});
