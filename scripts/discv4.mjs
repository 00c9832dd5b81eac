// `npm run discv4`: geth's conformance suite of discovery v4 against a node of ours, on loopback. It needs Go, which
// builds the suite once and takes some minutes for it; without Go nothing is run, and that is said.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "v1.16.9";
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const folder = join(ROOT, `node_modules/.cache/devp2p/${VERSION}`);
const suite = join(folder, "devp2p");

if (!existsSync(suite)) {
  const name = `github.com/ethereum/go-ethereum/cmd/devp2p@${VERSION}`;
  const env = { ...process.env, GOBIN: folder };
  const { error, status } = spawnSync("go", ["install", name], { env, stdio: "inherit" });
  if (error !== undefined) {
    console.log(`0 passed, 0 failed, 15 skipped: go cannot be run: ${error.message}`);
    process.exit(0);
  }
  if (status !== 0) process.exit(status ?? 1);
}

const data = mkdtempSync(join(tmpdir(), "plinth-discv4-"));
const port = await freePort();
const node = spawn(
  process.execPath,
  [
    join(ROOT, "cli/bin/plinth.js"),
    `--genesis-file=${join(ROOT, "examples/minimal-node/genesis.json")}`,
    `--data-path=${data}`,
    "--p2p-interface=127.0.0.1",
    `--p2p-port=${port}`,
    "--nat-method=NONE",
  ],
  { stdio: ["ignore", "pipe", "inherit"] },
);
try {
  const enode = await enodeOf(node);
  const words = [
    "discv4",
    "test",
    "--remote",
    enode,
    "--listen1",
    "127.0.0.1",
    "--listen2",
    "127.0.0.2",
  ];
  const { status } = spawnSync(suite, words, { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  node.kill();
  await new Promise((resolve) => node.once("close", resolve));
  rmSync(data, { recursive: true, force: true });
}

/** The URL that a node prints when it listens. */
function enodeOf(child) {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const found = /Enode URL (enode:\S+)/.exec(output)?.[1];
      if (found !== undefined && output.includes("main loop is up")) resolve(found);
    });
    child.once("close", () => reject(new Error(`the node ended:\n${output}`)));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}
