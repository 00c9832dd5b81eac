import { readFileSync } from "node:fs";
import { join } from "node:path";
import { signTransaction, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { metricsUrlOf } from "../support/metrics-url.js";
import { call, ROOT, type RunningNode, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const DASHBOARD = readFileSync(join(ROOT, "docs/operators/grafana-dashboard.json"), "utf8");

describe("the dashboard", () => {
  it("shows metrics that exist and move under load", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(["--profile=dev", "--metrics-enabled", "--metrics-port=0"], {
      folder: folder.path,
    });
    const url = await metricsUrlOf(node);
    const asked = namesIn(JSON.parse(DASHBOARD));
    const before = await scrape(url);
    await sendTransactions(node);
    await callAtOnce(node, 20);
    let after = await scrape(url);
    const still = () => asked.filter((name) => before[name] === after[name]);

    expect(asked).toHaveLength(16);
    expect(asked.filter((name) => after[name] === undefined)).toEqual([]);
    // The collector comes when it has something to do.
    while (still().includes("jvm_gc_collection_seconds_sum")) {
      await callAtOnce(node, 50);
      after = await scrape(url);
    }
    expect(still()).toEqual([]);
  });
});

/** Names of metrics in the queries of panels: words before a selector. */
function namesIn({ panels }: { panels: { targets: { expr: string }[] }[] }): readonly string[] {
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const names = queries.flatMap((query) => query.match(/\w+(?=\{)/g) ?? []);
  return [...new Set(names)].sort();
}

/** The lines of every name, without it. */
async function scrape(url: string): Promise<Readonly<Record<string, string>>> {
  const series: Record<string, string> = {};
  for (const line of (await (await fetch(url)).text()).split("\n")) {
    const [, name, rest] = /^(\w+)(.*)$/.exec(line) ?? [];
    if (name !== undefined) series[name] = `${series[name] ?? ""}${rest}\n`;
  }
  return series;
}

/** Blocks with transactions, and one that goes on waiting for the one before it. */
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
