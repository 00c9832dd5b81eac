import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { metricsUrlOf } from "../support/metrics-url.js";
import { startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const isMissing = spawnSync("prometheus", ["--version"]).error !== undefined;
if (isMissing) process.stderr.write("prometheus is not installed: Debian has a package\n");

describe.skipIf(isMissing)("a real Prometheus", () => {
  it("scrapes the node and serves a query", { timeout: 60_000 }, async () => {
    using folder = temporaryFolder();
    const words = ["--profile=dev", "--metrics-enabled", "--metrics-port=0"];
    await using node = await startNode(words, { folder: folder.path });
    await node.rpc("evm_mine");
    await using prometheus = await startPrometheus(folder, new URL(await metricsUrlOf(node)).host);

    expect(await prometheus.query("ethereum_blockchain_height")).toBe("1");
    expect(await prometheus.query('up{job="plinth"}')).toBe("1");
  });
});

async function startPrometheus(folder: TemporaryFolder, target: string) {
  const file = folder.file("prometheus.yml");
  writeFileSync(
    file,
    `scrape_configs:
  - job_name: plinth
    scrape_interval: 1s
    static_configs:
      - targets: ["${target}"]
`,
  );
  const port = await freePort();
  const child = spawn("prometheus", [
    `--config.file=${file}`,
    `--storage.tsdb.path=${folder.file("tsdb")}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return {
    /** The value of the only series, once there is one. */
    async query(query: string): Promise<string> {
      const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`;
      while (child.exitCode === null) {
        const answer = Object(await ask(url));
        const [series] = answer.data?.result ?? [];
        if (series !== undefined) return series.value[1];
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`prometheus ended:\n${output}`);
    },
    async [Symbol.asyncDispose]() {
      const closed = once(child, "close");
      child.kill();
      await closed;
    },
  };
}

/** Undefined while it does not listen yet. */
async function ask(url: string): Promise<unknown> {
  try {
    return await (await fetch(url)).json();
  } catch {
    return undefined;
  }
}
