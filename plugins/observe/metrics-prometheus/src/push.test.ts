import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createLogs } from "@plinth/core/kernel";
import { createTestNode } from "@plinth/testing";
import parse from "parse-prometheus-text-format";
import { describe, expect, it } from "vitest";
import metricsPrometheus from "./index.js";

describe("pushing metrics", () => {
  it("sends them periodically, and deletes the job at the end", async () => {
    await using gateway = await openGateway();
    const node = await createTestNode({
      plugins: [metricsPrometheus],
      options: { ...optionsOf(gateway), metricsPushPrometheusJob: "a/b" },
    });
    const first = await gateway.next();
    const second = await gateway.next();
    await node.stop();
    const last = await gateway.next();

    expect(first).toMatchObject({
      method: "PUT",
      url: "/metrics/job/a%2Fb",
      type: "text/plain; version=0.0.4; charset=utf-8",
    });
    expect(valueIn(first.body, "ethereum_blockchain_height")).toBe("0");
    expect(valueIn(second.body, "plinth_metrics_prometheus_pushes_total")).toBe("1");
    expect(last).toMatchObject({ method: "DELETE", url: "/metrics/job/a%2Fb", body: "" });
  });

  it("continues if the gateway rejects them, and logs it once", async () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const logs = createLogs({ level: "info", format: "json", color: false, write });
    await using gateway = await openGateway([503, 503, 200]);
    const node = await createTestNode({
      plugins: [metricsPrometheus],
      options: optionsOf(gateway),
      logs,
    });
    for (const _ of [1, 2, 3, 4]) await gateway.next();
    await node.stop();

    const logged = lines
      .map((line) => JSON.parse(line))
      .filter(({ plugin }) => plugin === "metrics-prometheus");
    const url = `http://127.0.0.1:${gateway.port}/metrics/job/plinth-client`;
    expect(logged.map(({ level, message }) => [level, message])).toEqual([
      ["warn", `the push gateway ${url} does not accept metrics: it returned 503`],
      ["info", `the push gateway ${url} accepts metrics again`],
    ]);
  });
});

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

/** A push gateway that responds with these statuses, then with 200. */
async function openGateway(statuses: readonly number[] = []) {
  const left = [...statuses];
  const received: Received[] = [];
  const waiting: ((message: Received) => void)[] = [];
  const take = async ({ method, url, headers }: IncomingMessage, body: string) => {
    const message = { method, url, type: headers["content-type"], body };
    const first = waiting.shift();
    if (first === undefined) received.push(message);
    else first(message);
  };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    response.writeHead(left.shift() ?? 200).end();
    await take(request, body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: (server.address() as AddressInfo).port,
    next: () =>
      new Promise<Received>((resolve) => {
        const first = received.shift();
        if (first === undefined) waiting.push(resolve);
        else resolve(first);
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function optionsOf({ port }: { readonly port: number }) {
  return { metricsPushEnabled: true, metricsPushPort: port, metricsPushInterval: 1 };
}

function valueIn(body: string, name: string): string | undefined {
  return parse(body).find((family) => family.name === name)?.metrics[0]?.value;
}
