import {
  type ConsensusEngine,
  createMemoryStorageDriver,
  type Header,
  keccakHeader,
  loadCrypto,
  type SealedHeader,
} from "@plinth/core";
import { sealHeader } from "@plinth/core/blocks";
import type { OfferedChain, UnprovenHeaders } from "@plinth/core/chain";
import { readForks } from "@plinth/core/rules";
import { TABLES } from "@plinth/core/storage";
import { beforeAll, describe, expect, it } from "vitest";
import { genesisBody, readGenesisHeader } from "../genesis/genesis-block.js";
import { GenesisState } from "../genesis/genesis-state.js";
import { ChainStore } from "../store/chain-store.js";
import { findJoinedAt } from "../store/joined-at.js";
import { verifyBlocks } from "../verify/verify-blocks.js";
import { joinChain } from "./join-chain.js";

const FIRST = 98n;
const LAST = 100n;
const KEY_HASH = `0x${"cd".repeat(32)}` as const;

const engine = {
  finality: "instant",
  hashHeader: (header: Header) => keccakHeader(header),
} as unknown as ConsensusEngine;

beforeAll(async () => {
  await loadCrypto();
});

/** Three headers of a chain whose earlier ones are unknown, with an empty state. */
async function createBranch(change: (headers: SealedHeader[]) => readonly SealedHeader[]) {
  const fields = readGenesisHeader({}, { forks: readForks({}), origin: "test" });
  const store = await createMemoryStorageDriver().open({ folder: "" });
  const genesis = { json: { config: {} }, origin: "test" };
  const stateRoot = await new GenesisState({ genesis, store }).findRoot();
  const first = sealHeader({ ...fields, stateRoot }, engine.hashHeader({ ...fields, stateRoot }));
  const headers: SealedHeader[] = [];
  for (let number = FIRST; number <= LAST; number++) {
    const parentHash = headers.at(-1)?.hash ?? `0x${"ab".repeat(32)}`;
    const header = { ...fields, stateRoot, parentHash, number, difficulty: 2n };
    headers.push(sealHeader(header, keccakHeader(header)));
  }
  const last = headers.at(-1) as SealedHeader;
  const unproven: UnprovenHeaders = { headers: change(headers), totalDifficulty: 500n };
  const offered: OfferedChain = {
    chainId: 7n,
    genesisHash: first.hash,
    block: last,
    id: "1",
    parts: { headers: 0, codes: 0, states: 0 },
    option: "--offered",
    trust: {},
    unproven,
    readHeaders: async () => [],
    readCodes: async () => [],
    async *readStates() {},
    readBlock: async () => ({ body: genesisBody(last), receipts: [] }),
  };
  const settings = {
    store,
    engine,
    chainId: 7n,
    genesis: { header: first, body: genesisBody(first) },
    log: { info() {} },
    signal: new AbortController().signal,
  };
  return { settings, offered, headers };
}

describe("joining a chain whose headers are not proven", () => {
  it("writes the offered headers and the block, and nothing between block 0 and them", async () => {
    const { settings, offered, headers } = await createBranch((all) => all);

    await joinChain(settings, offered);

    const chain = new ChainStore(settings.store);
    expect(chain.findHead()).toEqual(headers.at(-1));
    expect([97n, 98n, 99n, 100n].map((number) => chain.findHash(number))).toEqual([
      undefined,
      ...headers.map(({ hash }) => hash),
    ]);
    expect(headers.map(({ hash }) => chain.findTotalDifficulty(hash))).toEqual([496n, 498n, 500n]);
    expect(findJoinedAt(settings.store.table(TABLES.chain))).toBe(LAST);
  });

  it("leads to a chain that is intact, although earlier headers do not exist", async () => {
    const { settings, offered } = await createBranch((all) => all);
    await joinChain(settings, offered);

    const verified = [...verifyBlocks(new ChainStore(settings.store), engine)];

    expect(verified.flatMap(({ problems }) => problems)).toEqual([]);
    expect(verified.map(({ number }) => number)).toEqual([0n, 98n, 99n, 100n]);
  });

  it.each<[string, (headers: SealedHeader[]) => readonly SealedHeader[]]>([
    ["there are none", () => []],
    ["the last one is not that of the block", (all) => all.slice(0, 2)],
    ["one is missing", ([one, , three]) => [one, three].filter((each) => each !== undefined)],
    [
      "there are more than BLOCKHASH reads",
      (all) => Array.from({ length: 257 }, () => all[2] as SealedHeader),
    ],
  ])("writes nothing if %s", async (_, change) => {
    const { settings, offered } = await createBranch(change);

    await expect(joinChain(settings, offered)).rejects.toMatchObject({ code: "JOIN_REFUSED" });

    expect(new ChainStore(settings.store).isEmpty()).toBe(true);
    expect(new ChainStore(settings.store).findHash(FIRST)).toBeUndefined();
  });

  it("leads to a chain whose damage is found", async () => {
    const { settings, offered, headers } = await createBranch((all) => all);
    await joinChain(settings, offered);
    const chain = new ChainStore(settings.store);
    const batch = settings.store.batch();
    const [, second] = headers;
    chain.putHeader(batch, { ...(second as SealedHeader), parentHash: KEY_HASH }, 498n);
    await batch.commit();

    const problems = [...verifyBlocks(chain, engine)].flatMap((each) => each.problems);

    expect(problems.map(({ where }) => where)).toEqual(["block 99", "block 99"]);
  });
});
