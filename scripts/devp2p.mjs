// Shared by the conformance suites of geth's `devp2p` tool: the tool itself, which Go builds once,
// and a node to test.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "v1.16.9";
const MODULE = "github.com/ethereum/go-ethereum";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The path of the tool; without Go reports the number of skipped tests, and exits. */
export function findSuite(tests) {
  const folder = join(ROOT, `node_modules/.cache/devp2p/${VERSION}`);
  const suite = join(folder, "devp2p");
  if (existsSync(suite)) return suite;
  const env = { ...process.env, GOBIN: folder };
  const name = `${MODULE}/cmd/devp2p@${VERSION}`;
  const { error, status } = spawnSync("go", ["install", name], { env, stdio: "inherit" });
  if (error !== undefined) {
    console.log(`0 passed, 0 failed, ${tests} skipped: go cannot be run: ${error.message}`);
    process.exit(0);
  }
  if (status !== 0) process.exit(status ?? 1);
  return suite;
}

/** The folder with the chain of the suite, in the module that the tool was built from. */
export function findChain() {
  const { stdout } = spawnSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" });
  return join(stdout.trim(), `${MODULE}@${VERSION}/cmd/devp2p/internal/ethtest/testdata`);
}

/** Starts a node that listens on loopback; returns its process and its enode URL. */
export async function startNode(words) {
  const child = spawn(process.execPath, [join(ROOT, "cli/bin/plinth.js"), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const enode = await new Promise((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const found = /Enode URL (enode:\S+)/.exec(output)?.[1];
      if (found !== undefined && output.includes("main loop is up")) resolve(found);
    });
    child.once("close", () => reject(new Error(`the node ended:\n${output}`)));
  });
  const stop = async () => {
    child.kill();
    await new Promise((resolve) => child.once("close", resolve));
  };
  return { enode, stop };
}

export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}
