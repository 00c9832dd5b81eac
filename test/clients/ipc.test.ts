import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { clientFolder, isMissing } from "./installed.js";

describe.each(["viem", "web3"])("the socket of a node, seen by %s", (client) => {
  it.skipIf(isMissing(client))("responds to calls and reports new blocks", async () => {
    using folder = temporaryFolder();
    const words = ["--profile=dev", "--Xrpc-ipc-enabled"];
    await using node = await startNode(words, { folder: folder.path });
    const { askSocket } = await import(join(clientFolder(client), "ipc.mjs"));

    const asked = await askSocket(folder.file("data/plinth.ipc"), () => node.rpc("evm_mine"));

    expect(asked).toEqual({ chainId: 1337, blocks: 1 });
  });
});
