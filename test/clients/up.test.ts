import { realpathSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { callNode, listNodes, ProgramProcess } from "../network/program-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { FRIEND, RICH } from "./accounts.js";
import { readArtifact } from "./artifacts.js";
import { isMissing } from "./installed.js";
import { openLibrary } from "./library.js";

const isLong = process.env.PLINTH_NETWORK !== undefined;
const ENGINES = isLong ? ["qbft", "ibft2"] : ["qbft"];
const NODES = isLong ? 4 : 1;
const SUPPLY = 1_000_000n;
/**
 * Stores 42 in memory and returns it as the code: an instruction of Shanghai does not exist on a
 * Clique chain.
 */
const SMALL = { abi: [], bytecode: "0x602a60005260206000f3" };

describe.skipIf(isMissing("viem"))("a network that plinth up runs, seen by viem", () => {
  it.each(ENGINES)("accepts a contract with %s, and all nodes have it", async (engine) => {
    using place = temporaryFolder();
    await using network = await startNetwork(place.path, engine);
    const { up, nodes, viem } = network;

    const contract = readArtifact("Token");
    const token = await viem.deploy(contract, [SUPPLY]);
    await viem.write({ contract, address: token, name: "transfer", args: [FRIEND.address, 5n] });
    const call = { contract, address: token, name: "balanceOf", args: [FRIEND.address] };

    expect(await viem.read(call)).toBe(5n);
    await up.printed(/ [12] transactions? /);
    const codes = await Promise.all(
      nodes.map((node) => callNode(node, "eth_getCode", [token, "latest"])),
    );
    expect(new Set(codes).size).toBe(1);
    expect(String(codes[0]).length).toBeGreaterThan(100);
  });

  it.runIf(isLong)("accepts a contract with clique, which has the rules of London", async () => {
    using place = temporaryFolder();
    await using network = await startNetwork(place.path, "clique");

    const address = await network.viem.deploy(SMALL, []);

    const [first] = network.nodes;
    expect(first && (await callNode(first, "eth_getCode", [address, "latest"]))).toBe(
      `0x${"2a".padStart(64, "0")}`,
    );
  });
});

/** Nodes that produce blocks, and viem connected to the first. */
async function startNetwork(home: string, engine: string) {
  const folder = `${realpathSync(home)}/network`;
  const flags = [`--engine=${engine}`, `--nodes=${NODES}`, "--period=1", "--base-port=0"];
  const up = ProgramProcess.start(["up", `--data-path=${folder}`, ...flags], home);
  await up.printed("block 1 ");
  const nodes = listNodes(folder);
  const address = `127.0.0.1:${nodes[0]?.rpcPort}`;
  const listener = { url: `http://${address}`, wsUrl: `ws://${address}` };
  const viem = await openLibrary("viem", listener, RICH);
  return {
    ...{ up, nodes, viem },
    async [Symbol.asyncDispose]() {
      await viem[Symbol.asyncDispose]();
      await up[Symbol.asyncDispose]();
    },
  };
}
