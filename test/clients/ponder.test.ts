import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../network/network-node.js";
import { type RunningNode, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { FRIEND, RICH } from "./accounts.js";
import { readArtifact } from "./artifacts.js";
import { isMissing } from "./installed.js";
import { type Library, openLibrary } from "./library.js";
import { type Indexed, type Ponder, startPonder } from "./start-ponder.js";

const SUPPLY = 1_000n;
const GENESIS = {
  config: { chainId: 1337, londonBlock: 0, dev: { hardfork: "osaka" } },
  gasLimit: "0x1c9c380",
  baseFeePerGas: "0x3b9aca00",
  alloc: { [RICH.address]: { balance: "1000000000000000000000" } },
};
const LIMIT_MS = 120_000;

/** `npm run long -- tools` */
const isLong = process.env.PLINTH_TOOLS !== undefined;

describe.skipIf(!isLong || isMissing("ponder") || isMissing("viem"))("ponder at a replica", () => {
  const folders: TemporaryFolder[] = [];
  let source: RunningNode;
  let replica: RunningNode;
  let library: Library;
  let token: string;
  let ponder: Ponder;

  beforeAll(async () => {
    const [ofSource, ofReplica, ofPonder] = Array.from({ length: 3 }, () => newFolder());
    const genesis = join(ofSource as string, "genesis.json");
    writeFileSync(genesis, JSON.stringify(GENESIS));
    const words = [`--genesis-file=${genesis}`, "--rpc-http-enabled"];
    const ofStream = ["--changes-enabled", "--dev-period-seconds=1"];
    source = await startNode([...words, ...ofStream], { folder: ofSource as string });
    const following = [...words, `--follow=${source.url}`];
    replica = await startNode(following, { folder: ofReplica as string });
    library = await openLibrary("viem", replica, RICH);
    token = await library.deploy(readArtifact("Token"), [SUPPLY]);
    await transfer(25n);
    ponder = await startPonder({ url: replica.url, token, folder: ofPonder as string });
  });

  afterAll(async () => {
    await ponder?.stop();
    await library?.[Symbol.asyncDispose]();
    for (const node of [replica, source]) await node?.stop();
    for (const folder of folders) folder[Symbol.dispose]();
  });

  it("indexes transfers that were before its start, and follows later ones", async () => {
    await expectIndexed({ rich: SUPPLY - 25n, friend: 25n, transfers: 2 });

    await transfer(100n);
    await transfer(1n);

    await expectIndexed({ rich: SUPPLY - 126n, friend: 126n, transfers: 4 });
  });

  async function transfer(value: bigint): Promise<void> {
    const contract = readArtifact("Token");
    const args = [FRIEND.address, value];
    await library.write({ contract, address: token, name: "transfer", args });
  }

  async function expectIndexed(
    expected: Record<"rich" | "friend", bigint> & Pick<Indexed, "transfers">,
  ) {
    let indexed: Indexed | undefined;
    await until(async () => {
      indexed = await ponder.read();
      return indexed?.transfers === expected.transfers;
    }, LIMIT_MS).catch(() => {});
    const { rich, friend, transfers } = expected;
    expect(indexed, ponder.output()).toMatchObject({
      balances: { [RICH.address.toLowerCase()]: rich, [FRIEND.address.toLowerCase()]: friend },
      transfers,
    });
  }

  function newFolder(): string {
    const folder = temporaryFolder();
    folders.push(folder);
    return folder.path;
  }
});
