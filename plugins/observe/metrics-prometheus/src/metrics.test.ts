import { definePlugin, type Plugin } from "@plinth/core";
import {
  createInside,
  createTestNode,
  sendHttp,
  signTransaction,
  type TestNode,
  transfer,
} from "@plinth/testing";
import parse from "parse-prometheus-text-format";
import { describe, expect, it } from "vitest";
import metricsPrometheus from "./index.js";

const PULL = { metricsEnabled: true, metricsPort: 0, devPeriodSeconds: 3600 };

describe("GET /metrics", () => {
  it("has what Besu's dashboards expect, and follows the chain", async () => {
    await using node = await open();
    const before = await scrape(node);
    const sent = await signTransaction(transfer());
    const bytes = Buffer.from(sent.slice(2), "hex");
    await node.node.pool.submit(bytes);
    await expect(node.node.pool.submit(bytes)).rejects.toMatchObject({ reason: "known" });
    const waiting = await scrape(node);
    await node.mine([]);
    await expect(node.rpc("nobody_knows")).rejects.toMatchObject({ code: -32601 });
    const after = await scrape(node);

    expect(before.value("ethereum_blockchain_height")).toBe(0);
    expect(waiting.value("besu_transaction_pool_number_of_transactions")).toBe(1);
    expect(waiting.value("besu_transaction_pool_unique_senders")).toBe(1);
    expect(waiting.value("besu_transaction_pool_space_used")).toBe(sent.length / 2 - 1);
    expect(waiting.family("besu_transaction_pool_added_total")).toMatchObject({
      type: "COUNTER",
      metrics: [{ value: "1", labels: { source: "local" } }],
    });
    expect(waiting.family("besu_transaction_pool_rejected_total")).toMatchObject({
      metrics: [{ value: "1", labels: { source: "local", reason: "known" } }],
    });
    expect(waiting.family("besu_transaction_pool_number_of_transactions_by_type")).toMatchObject({
      metrics: [{ value: "1", labels: { type: "FRONTIER" } }],
    });
    const head = node.node.blocks.head();
    expect(after.values(Object.keys(expected(head)))).toEqual(expected(head));
    expect(after.family("besu_rpc_request_time")).toMatchObject({
      type: "HISTOGRAM",
      metrics: [{ buckets: { "+Inf": "1" } }],
    });
    // The parser keeps neither labels nor counts of distributions.
    expect(after.text).toContain('besu_rpc_request_time_count{methodName="unknown"} 1\n');
    expect(after.text).toMatch(/^besu_rpc_request_time_sum\{methodName="unknown"\} 0\.\d+$/m);
    expect(after.family("besu_rpc_errors_count")).toMatchObject({
      metrics: [{ labels: { rpcMethod: "unknown", errorType: "METHOD_NOT_FOUND" }, value: "1" }],
    });
    expect(after.value("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(after.value("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(after.value("process_open_fds")).toBeGreaterThan(3);
    expect(after.value("process_max_fds")).toBeGreaterThan(3);
    expect(after.family("process_release")).toMatchObject({
      metrics: [{ labels: { version: node.node.clientVersion }, value: "1" }],
    });
    expect(after.family("jvm_memory_bytes_used")?.metrics.map(({ labels }) => labels)).toEqual([
      { area: "heap" },
      { area: "nonheap" },
    ]);
  });

  it("has all of them under our own names, and those of plugins", async () => {
    await using node = await open({ metricsBesuNames: false });
    const { names, value } = await scrape(node);

    expect(names.filter((name) => !name.startsWith("plinth_"))).toEqual([]);
    expect(value("plinth_ethereum_blockchain_height")).toBe(0);
    expect(value("plinth_audit_alarms_total")).toBe(3);
    expect(value("plinth_metrics_prometheus_scrapes_total")).toBe(1);
  });

  it("has the selected categories", async () => {
    await using node = await open({ metricsCategory: ["jvm", "PLINTH"], metricsBesuNames: false });
    const { names } = await scrape(node);

    expect(names).toEqual([
      "plinth_audit_alarms_total",
      "plinth_audit_odd",
      "plinth_jvm_gc_collection_seconds",
      "plinth_jvm_memory_bytes_used",
      "plinth_metrics_prometheus_connections",
      "plinth_metrics_prometheus_scrapes_total",
    ]);
  });

  it("has the requested names", async () => {
    await using node = await open();
    await node.rpc("nobody_knows").catch(() => undefined);
    const query = "?name[]=ethereum_peer_count&name[]=besu_rpc_request_time_sum";
    const { names } = await scrape(node, query);

    expect(names).toEqual(["ethereum_peer_count", "besu_rpc_request_time"]);
  });

  it("escapes labels", async () => {
    await using node = await open();

    expect((await scrape(node)).family("plinth_audit_odd")).toMatchObject({
      metrics: [{ labels: { what: 'a "b"\\\n' }, value: "+Inf" }],
    });
  });
});

describe("the metrics endpoint", () => {
  it("logs its address, and rejects unknown hosts and paths", async () => {
    await using node = await open();
    const port = portOf(node);

    expect(await sendHttp({ port, method: "GET" })).toMatchObject({ status: 201, text: "" });
    expect(await sendHttp({ port, method: "GET", path: "/other" })).toMatchObject({ status: 404 });
    expect(
      await sendHttp({ port, method: "GET", path: "/metrics", headers: { host: "evil.example" } }),
    ).toMatchObject({ status: 403 });
  });

  it.each([{}, { metricsEnabled: true, metricsProtocol: "none" }])(
    "is off with %j",
    async (options) => {
      await using node = await createTestNode({ plugins: [metricsPrometheus], options });

      expect(node.node.rpc.endpoints().map(({ name }) => name)).toEqual(["test"]);
    },
  );

  it.each([[{ metricsEnabled: true, metricsPushEnabled: true }, "METRICS_BOTH_WAYS"]])(
    "is rejected with %j",
    async (options, code) => {
      await expect(createTestNode({ plugins: [metricsPrometheus], options })).rejects.toMatchObject(
        {
          name: "ConfigError",
          code,
        },
      );
    },
  );
});

describe("the best known block", () => {
  it.each([
    ["that of peers, above the height", 7n, 7],
    ["the height, above the last report of peers", 0n, 1],
  ])("is %s", async (_, highest, best) => {
    const { plugin, runtime } = createInside();
    await using node = await open({}, [plugin]);
    await node.mine([]);
    runtime().sync.report({ starting: 0n, current: 0n, highest, syncing: true });

    expect((await scrape(node)).value("ethereum_best_known_block_number")).toBe(best);
  });
});

describe("metrics that are not exported", () => {
  it.each([
    ["plinth", 25],
    ["spec", 25],
    ["besu", 0],
  ])("still exist in mode %s: %i of them", async (rpcCompatibility, count) => {
    const { plugin, runtime } = createInside();
    await using node = await createTestNode({
      plugins: [metricsPrometheus, plugin],
      options: { rpcCompatibility },
      eth: false,
    });
    await node.mine([]);
    const families = runtime().metrics.collect();

    expect(families.filter(({ samples }) => samples.length > 0)).toHaveLength(count);
  });
});

const audit = definePlugin({
  name: "audit",
  setup({ metrics }) {
    metrics.counter({ name: "alarms", help: "Alarms." }).increment(3);
    metrics
      .gauge({ name: "odd", help: "A\\B\nC", labels: ["what"] })
      .set(Number.POSITIVE_INFINITY, { what: 'a "b"\\\n' });
  },
});

function open(options: object = {}, others: readonly Plugin[] = []): Promise<TestNode> {
  return createTestNode({
    plugins: [metricsPrometheus, audit, ...others],
    options: { ...PULL, ...options },
    eth: false,
  });
}

function portOf({ node }: TestNode): number {
  return node.rpc.endpoints().find(({ name }) => name === "metrics")?.address?.port ?? 0;
}

async function scrape(node: TestNode, query = "") {
  const path = `/metrics${query}`;
  const { status, text, headers } = await sendHttp({ port: portOf(node), method: "GET", path });
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  const families = parse(text);
  const family = (name: string) => families.find((found) => found.name === name);
  const value = (name: string) => Number(family(name)?.metrics[0]?.value);
  const values = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, value(name)]));
  return { text, names: families.map(({ name }) => name), family, value, values };
}

function expected(head: { gasUsed: bigint; gasLimit: bigint; timestamp: bigint } | undefined) {
  return {
    ethereum_blockchain_height: 1,
    ethereum_best_known_block_number: 1,
    ethereum_blockchain_finalized_block: 1,
    ethereum_blockchain_safe_block: 1,
    ethereum_peer_count: 0,
    ethereum_peer_limit: 0,
    ethereum_min_gas_price: 1000,
    ethereum_min_priority_fee: 0,
    besu_blockchain_chain_head_timestamp: Number(head?.timestamp),
    besu_blockchain_chain_head_gas_used: Number(head?.gasUsed),
    besu_blockchain_chain_head_gas_limit: Number(head?.gasLimit),
    besu_blockchain_chain_head_transaction_count: 1,
    besu_blockchain_chain_head_ommer_count: 0,
    besu_blockchain_chain_head_gas_used_counter: 21_000,
    besu_blockchain_chain_head_transaction_count_counter: 1,
    besu_blockchain_difficulty_total: 1,
    besu_transaction_pool_number_of_transactions: 0,
  };
}
