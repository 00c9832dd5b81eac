import { sendHttp } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { costlyParams } from "../support/costly-params.js";
import { leastOf } from "../support/least-of.js";
import { pollDuring } from "../support/poller.js";
import { startNode } from "../support/program.js";
import { registerShippedNode } from "../support/shipped-plugins.js";
import { temporaryFolder } from "../support/temporary-folder.js";

// Every method that is registered, with parameters as large as a request may have: a new one is in this test by itself.

const IS_STRICT = process.env.PLINTH_STRICT === "1";
/** `npm run long -- attacks` tries all; elsewhere each method meets one of them. */
const STEP = IS_STRICT ? 1 : 97;
/** Of five MiB, which a listener takes at most. */
const BYTES = 4_900_000;
/** What another client may wait: strictly on a quiet machine, which this is not while other tests run. */
const MAX_WAIT_MS = IS_STRICT ? 250 : 1_500;
/** They end or change the node, or wait for something. */
const LEFT_OUT = new Set(["plugins_reloadPluginConfig", "evm_mine", "admin_changeLogLevel"]);

describe("a request as large as it may be", () => {
  it("keeps no other client waiting, whatever its method is", { timeout: 900_000 }, async () => {
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
