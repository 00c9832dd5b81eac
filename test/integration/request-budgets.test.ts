import { sendHttp } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { costlyParams } from "../support/costly-params.js";
import { leastOf } from "../support/least-of.js";
import { pollDuring } from "../support/poller.js";
import { startNode } from "../support/program.js";
import { registerShippedNode } from "../support/shipped-plugins.js";
import { temporaryFolder } from "../support/temporary-folder.js";

// Every registered method, with parameters of the maximum request size: a new one is covered
// automatically.

const IS_STRICT = process.env.PLINTH_STRICT === "1";
/** `npm run long -- attacks` tries all; elsewhere each method gets one of them. */
const STEP = IS_STRICT ? 1 : 97;
/** Five MiB, the maximum of a listener. */
const BYTES = 4_900_000;
/**
 * Maximum wait of another client: strict on a quiet machine, which this is not while other tests
 * run.
 */
const MAX_WAIT_MS = IS_STRICT ? 250 : 1_500;
/** They end or change the node, or wait for something. */
const LEFT_OUT = new Set(["plugins_reloadPluginConfig", "evm_mine", "admin_changeLogLevel"]);

describe("a request of the maximum size", () => {
  it("delays no other client, whatever its method", { timeout: 900_000 }, async () => {
    const methods = (await registerShippedNode())
      .methods()
      .filter(({ fullName }) => !LEFT_OUT.has(fullName));
    const namespaces = new Set(methods.map(({ fullName }) => fullName.split("_")[0]));
    using folder = temporaryFolder();
    const api = `--rpc-http-api=${[...namespaces].filter((name) => name !== "priv" && name !== "eea").join(",")}`;
    await using node = await startNode(["--profile=dev", "--rpc-http-enabled", api], {
      folder: folder.path,
    });
    const port = Number(new URL(node.url).port);
    const slow: string[] = [];
    let number = 0;
    for (const { fullName, method } of methods) {
      for (const [kind, params] of costlyParams(method.example?.params ?? [], BYTES)) {
        number += 1;
        if (number % STEP !== 0) continue;
        const body = `{"jsonrpc":"2.0","id":1,"method":"${fullName}","params":${params()}}`;
        const waited = await leastOf(MAX_WAIT_MS, async () => {
          const poll = await pollDuring(node.url, async () => {
            const { status } = await sendHttp({ port, body });
            expect(status).toBeLessThan(500);
          });
          return poll.slowestMs;
        });
        if (waited > MAX_WAIT_MS) slow.push(`${fullName}, ${kind}: ${Math.round(waited)} ms`);
      }
    }

    expect(number).toBeGreaterThan(500);
    expect(slow).toEqual([]);
  });
});
