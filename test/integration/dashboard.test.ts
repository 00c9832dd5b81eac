import { signTransaction, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { metricsIn, readPanels } from "../support/dashboard.js";
import { metricsUrlOf } from "../support/metrics-url.js";
import { call, type RunningNode, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Panels about what a single node lacks; test/network/up-privacy.test.ts has a node for them. */
const OF_NETWORKS = /^(Peers|Sync|Rounds|Disk|Private transactions)\b/;

describe("the dashboard", () => {
  it("shows metrics that exist and change under load", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(["--profile=dev", "--metrics-enabled", "--metrics-port=0"], {
      folder: folder.path,
    });
    const url = await metricsUrlOf(node);
    const asked = metricsIn(readPanels().filter(({ title }) => !OF_NETWORKS.test(title)));
    const before = await scrape(url);
    await sendTransactions(node);
    await callAtOnce(node, 20);
    let after = await scrape(url);
    const still = () => asked.filter((name) => before[name] === after[name]);

    expect(asked).toHaveLength(16);
    expect(asked.filter((name) => after[name] === undefined)).toEqual([]);
    // The garbage collector runs only when there is something to do.
    while (still().includes("jvm_gc_collection_seconds_sum")) {
      await callAtOnce(node, 50);
      after = await scrape(url);
    }
    expect(still()).toEqual([]);
  });
});

/** The lines of every name, without it. */
async function scrape(url: string): Promise<Readonly<Record<string, string>>> {
  const series: Record<string, string> = {};
  for (const line of (await (await fetch(url)).text()).split("\n")) {
    const [, name, rest] = /^(\w+)(.*)$/.exec(line) ?? [];
    if (name !== undefined) series[name] = `${series[name] ?? ""}${rest}\n`;
  }
  return series;
}

/** Blocks with transactions, and one transaction that keeps waiting for a missing nonce. */
async function sendTransactions(node: RunningNode): Promise<void> {
  for (const nonce of [0, 1, 2, 9]) {
    await node.rpc("eth_sendRawTransaction", [await signTransaction(transfer({ nonce }))]);
  }
  while ((await node.rpc("eth_blockNumber")) === "0x0") await new Promise(setImmediate);
}

async function callAtOnce(node: RunningNode, count: number): Promise<void> {
  const calls = Array.from({ length: count }, () => call(node.url, "eth_getLogs", [{}]));
  await Promise.all([...calls, call(node.url, "nobody_knows").catch(() => undefined)]);
}
