import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningNode, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { FRIEND, RICH } from "./accounts.js";
import { readArtifact } from "./artifacts.js";
import { isMissing } from "./installed.js";
import { type Library, openLibrary } from "./library.js";

const SUPPLY = 1_000n;
/** Its block 0 is the same for both nodes, unlike that of the profile `dev`, which begins now. */
const GENESIS = {
  config: { chainId: 1337, londonBlock: 0, dev: { hardfork: "osaka" } },
  gasLimit: "0x1c9c380",
  baseFeePerGas: "0x3b9aca00",
  alloc: { [RICH.address]: { balance: "1000000000000000000000" } },
};

describe.skipIf(isMissing("viem"))("a replica seen by viem", () => {
  const folders: TemporaryFolder[] = [];
  let source: RunningNode;
  let replica: RunningNode;
  let library: Library;

  beforeAll(async () => {
    folders.push(temporaryFolder(), temporaryFolder());
    const [ofSource, ofReplica] = folders.map(({ path }) => ({ folder: path }));
    if (ofSource === undefined || ofReplica === undefined) throw new Error("no folders");
    const genesis = `${ofSource.folder}/genesis.json`;
    writeFileSync(genesis, JSON.stringify(GENESIS));
    const words = [`--genesis-file=${genesis}`, "--rpc-http-enabled"];
    source = await startNode([...words, "--changes-enabled", "--dev-period-seconds=1"], ofSource);
    replica = await startNode([...words, "--rpc-ws-enabled", `--follow=${source.url}`], ofReplica);
    library = await openLibrary("viem", replica, RICH);
  });

  afterAll(async () => {
    await library?.[Symbol.asyncDispose]();
    for (const node of [replica, source]) await node?.stop();
    for (const folder of folders) folder[Symbol.dispose]();
  });

  it("sends transactions through it, waits for their receipts, and reads what they changed", async () => {
    const contract = readArtifact("Token");
    const address = await library.deploy(contract, [SUPPLY]);
    const call = (name: string, ...args: unknown[]) => ({ contract, address, name, args });

    const transfer = call("transfer", FRIEND.address, 25n);
    const estimated = await library.estimate(transfer);
    const used = await library.write(transfer);

    expect(used).toBeLessThanOrEqual(estimated);
    expect(await library.read(call("balanceOf", FRIEND.address))).toBe(25n);
    expect(await library.transfers(contract, address)).toHaveLength(2);
  });

  it("receives blocks over a WebSocket subscription", async () => {
    const heads = await library.watchHeads();

    const [first, second] = [await heads.next(), await heads.next()];

    expect(second.value?.[0]).toBe(Number(first.value?.[0]) + 1);
    await heads.return?.();
  });

  it("recognizes the errors of the source", async () => {
    const again = { from: RICH, to: FRIEND.address, value: 1n, nonce: 0, gas: 21_000n };

    expect(await library.refusal(again)).toBe("NonceTooLowError");
  });
});
