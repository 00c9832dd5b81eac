import metricsPrometheus from "@plinth/plugin-metrics-prometheus";
import networkDevp2p from "@plinth/plugin-network-devp2p";
import rpcDebug from "@plinth/plugin-rpc-debug";
import { createTestNode } from "@plinth/testing";
import { expect, it } from "vitest";

it("debug_metrics has the groups of the contract on a node without an exporter", async () => {
  await using node = await createTestNode({
    plugins: [metricsPrometheus, networkDevp2p, rpcDebug],
    options: { p2pEnabled: false },
  });
  await expect(node.rpc("eth_getCode", [])).rejects.toMatchObject({ code: -32602 });

  const time = { bucket: { "+Inf": 1 }, count: 1, sum: expect.any(Number) };
  expect(await node.rpc("debug_metrics")).toMatchObject({
    jvm: { memory_bytes_used: { heap: expect.any(Number) } },
    process: { start_time_seconds: expect.any(Number) },
    rpc: {
      request_time: { eth_getCode: time },
      errors_count_total: { eth_getCode: { INVALID_PARAMS: 1 } },
    },
    blockchain: { difficulty_total: 0 },
    peers: { connected_total: 0 },
  });
});
