import { describe, expect, it } from "vitest";
import { MetricsRegistry } from "./metrics.js";

const help = "What it counts.";

describe("metrics of a part of the node", () => {
  it("have its name instead of the plugin's", () => {
    const registry = new MetricsRegistry();
    registry.for("exporter").area("rpc").counter({ name: "calls", help }).increment();

    expect(registry.collect()).toEqual([
      {
        plugin: "rpc",
        name: "plinth_rpc_calls_total",
        type: "counter",
        help,
        samples: [{ labels: {}, value: 1 }],
      },
    ]);
  });
});

describe("metrics that are read on collection", () => {
  it("have a value, series, or nothing", () => {
    const registry = new MetricsRegistry();
    const metrics = registry.for("audit");
    const samples = [{ labels: { area: "heap" }, value: 2 }];
    metrics.counter({ name: "a", help, collect: () => 1 });
    metrics.gauge({ name: "b", help, labels: ["area"], collect: () => samples });
    metrics.gauge({ name: "c", help, collect: () => [] });

    expect(registry.collect().map((family) => family.samples)).toEqual([
      [{ labels: {}, value: 1 }],
      samples,
      [],
    ]);
  });
});

describe("names of metrics", () => {
  it("contain the plugin, and counters end in total", () => {
    const registry = new MetricsRegistry();
    const metrics = registry.for("consensus-qbft");

    metrics.counter({ name: "proposals", help });
    metrics.gauge({ name: "round", help });
    metrics.histogram({ name: "import_seconds", help });

    expect(registry.collect().map(({ name, type, plugin }) => ({ name, type, plugin }))).toEqual([
      {
        name: "plinth_consensus_qbft_import_seconds",
        type: "histogram",
        plugin: "consensus-qbft",
      },
      { name: "plinth_consensus_qbft_proposals_total", type: "counter", plugin: "consensus-qbft" },
      { name: "plinth_consensus_qbft_round", type: "gauge", plugin: "consensus-qbft" },
    ]);
  });

  it("of counters do not end in total twice", () => {
    const registry = new MetricsRegistry();
    const metrics = registry.for("audit");

    metrics.counter({ name: "calls_total", help });

    expect(registry.collect().map(({ name }) => name)).toEqual(["plinth_audit_calls_total"]);
    expect(() => metrics.counter({ name: "calls", help })).toThrowError(
      expect.objectContaining({ code: "METRIC_INVALID" }),
    );
  });

  it.each(["", "Proposals", "import-seconds", "2nd", "_x", "x_", "a__b", "a b"])(
    "cannot be %j",
    (name) => {
      const metrics = new MetricsRegistry().for("audit");

      expect(() => metrics.gauge({ name, help })).toThrowError(
        expect.objectContaining({ code: "METRIC_INVALID", details: { plugin: "audit" } }),
      );
    },
  );

  it("must be unique, whatever the types", () => {
    const metrics = new MetricsRegistry().for("audit");
    metrics.gauge({ name: "peers", help });

    expect(() => metrics.gauge({ name: "peers", help })).toThrowError(
      expect.objectContaining({ code: "METRIC_INVALID" }),
    );
    expect(() => metrics.histogram({ name: "peers", help })).toThrowError(
      expect.objectContaining({ code: "METRIC_INVALID" }),
    );
  });

  it("of two plugins do not collide", () => {
    const registry = new MetricsRegistry();

    registry.for("a").gauge({ name: "peers", help });
    registry.for("b").gauge({ name: "peers", help });

    expect(registry.collect().map(({ name }) => name)).toEqual([
      "plinth_a_peers",
      "plinth_b_peers",
    ]);
  });
});

describe("a counter", () => {
  it("has no sample until the first increment", () => {
    const registry = new MetricsRegistry();
    registry.for("audit").counter({ name: "calls", help });

    expect(registry.collect()).toMatchObject([{ help, samples: [] }]);
  });

  it("adds one, or the given amount", () => {
    const registry = new MetricsRegistry();
    const calls = registry.for("audit").counter({ name: "calls", help });

    calls.increment();
    calls.increment(5);

    expect(registry.collect()[0]?.samples).toEqual([{ labels: {}, value: 6 }]);
  });

  it("counts each combination of labels separately", () => {
    const registry = new MetricsRegistry();
    const labels = ["method", "outcome"];
    const calls = registry.for("audit").counter({ name: "calls", help, labels });

    calls.increment(1, { method: "a", outcome: "ok" });
    calls.increment(1, { outcome: "ok", method: "a" });
    calls.increment(1, { method: "a", outcome: "failed" });
    calls.increment(1, { method: "ok", outcome: "a" });

    expect(registry.collect()[0]?.samples).toEqual([
      { labels: { method: "a", outcome: "ok" }, value: 2 },
      { labels: { method: "a", outcome: "failed" }, value: 1 },
      { labels: { method: "ok", outcome: "a" }, value: 1 },
    ]);
  });
});

describe("a gauge", () => {
  it("has the last value set, per combination of labels", () => {
    const registry = new MetricsRegistry();
    const peers = registry.for("audit").gauge({ name: "peers", help, labels: ["side"] });

    peers.set(5, { side: "in" });
    peers.set(2, { side: "out" });
    peers.set(3, { side: "in" });

    expect(registry.collect()[0]?.samples).toEqual([
      { labels: { side: "in" }, value: 3 },
      { labels: { side: "out" }, value: 2 },
    ]);
  });

  it("can compute its value on collection", () => {
    const registry = new MetricsRegistry();
    let size = 1;
    registry.for("audit").gauge({ name: "queue", help, collect: () => size });

    const first = registry.collect()[0]?.samples;
    size = 4;

    expect(first).toEqual([{ labels: {}, value: 1 }]);
    expect(registry.collect()[0]?.samples).toEqual([{ labels: {}, value: 4 }]);
  });
});

describe("a histogram", () => {
  it("counts cumulatively: each bucket contains all values up to its bound", () => {
    const registry = new MetricsRegistry();
    const seconds = registry
      .for("audit")
      .histogram({ name: "import_seconds", help, buckets: [1, 2, 5] });

    for (const value of [0.5, 1, 1.5, 2.5, 100]) seconds.observe(value);

    expect(registry.collect()[0]?.samples).toEqual([
      {
        labels: {},
        value: 105.5,
        count: 5,
        buckets: [
          [1, 2],
          [2, 3],
          [5, 4],
        ],
      },
    ]);
  });

  it("keeps one distribution per combination of labels", () => {
    const registry = new MetricsRegistry();
    const seconds = registry
      .for("audit")
      .histogram({ name: "call_seconds", help, labels: ["method"], buckets: [1] });

    seconds.observe(0.5, { method: "a" });
    seconds.observe(2, { method: "b" });
    seconds.observe(3, { method: "a" });

    expect(registry.collect()[0]?.samples).toEqual([
      { labels: { method: "a" }, value: 3.5, count: 2, buckets: [[1, 1]] },
      { labels: { method: "b" }, value: 2, count: 1, buckets: [[1, 0]] },
    ]);
  });

  it("has ascending default buckets", () => {
    const registry = new MetricsRegistry();
    const seconds = registry.for("audit").histogram({ name: "call_seconds", help });

    seconds.observe(0.02);

    const buckets = registry.collect()[0]?.samples[0]?.buckets ?? [];
    const bounds = buckets.map(([bound]) => bound);
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
    expect(buckets).toContainEqual([0.01, 0]);
    expect(buckets).toContainEqual([0.05, 1]);
  });

  it("is shared by plugins that declare it for the same area", () => {
    const registry = new MetricsRegistry();
    const declare = (plugin: string) =>
      registry.for(plugin).area("consensus").counter({ name: "messages", help: "Messages" });
    declare("one").increment();
    declare("other").increment(2);

    expect(registry.collect()).toMatchObject([
      { name: "plinth_consensus_messages_total", samples: [{ value: 3 }] },
    ]);
  });
});
