import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { clientFolder, isMissing } from "./installed.js";

/** Longer than a restart takes: viem does not retry after a failed attempt. */
const DELAY_MS = 6000;
const isLong = process.env.PLINTH_TOOLS !== undefined;

describe.skipIf(!isLong || isMissing("viem"))("a subscription of viem", () => {
  it("continues after a restart of the node that has ended when viem reconnects", async () => {
    using folder = temporaryFolder();
    const port = String(await freePort());
    const environment = { PLINTH_RPC_HTTP_PORT: port };
    const start = () => startNode(["dev"], { folder: folder.path, environment });
    const first = await start();
    const { watchHeads } = await import(join(clientFolder("viem"), "reconnect.mjs"));
    const watch = await watchHeads(first.url.replace("http", "ws"), DELAY_MS);
    await first.rpc("evm_mine");
    expect(await watch.next()).toBe(1);

    await first.stop();
    await using second = await start();
    await watch.connected();
    await second.rpc("evm_mine");

    expect(await watch.next()).toBe(2);
    watch.close();
  });
});
