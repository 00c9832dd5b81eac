// `npm run long -- eth-test` and `snap-test`: geth's conformance suites of the protocols eth and snap
// against a node of ours that has imported their chain, on loopback. They need Go, which builds them
// once; without Go the tests are reported as skipped.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChain, findSuite, freePort, ROOT, startNode } from "./devp2p.mjs";

/** Number of tests of each suite. */
const SUITES = { "eth-test": 19, "snap-test": 5 };

const [name, ...others] = process.argv.slice(2);
const suite = findSuite(SUITES[name]);
const chain = findChain();
const data = mkdtempSync(join(tmpdir(), "plinth-eth-test-"));
const common = [`--genesis-file=${join(chain, "genesis.json")}`, `--data-path=${data}`];
const engine = await startEngine();

let node;
try {
  const program = join(ROOT, "cli/bin/plinth.js");
  const words = [program, ...common, "blocks", "import", join(chain, "chain.rlp")];
  const imported = spawnSync(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
  if (imported.status !== 0) throw new Error("the chain of the suite was not imported");
  node = await startNode([
    ...common,
    "--p2p-interface=127.0.0.1",
    `--p2p-port=${await freePort()}`,
    "--nat-method=NONE",
    "--discovery-enabled=false",
    "--Xsnapsync-server-enabled",
    "--tx-pool-min-gas-price=0",
    "--tx-pool-max-future-by-sender=2000",
  ]);
  const settings = ["--chain", chain, "--node", node.enode];
  const secret = ["--engineapi", engine.url, "--jwtsecret", `0x${"00".repeat(32)}`];
  process.exitCode = await run(["rlpx", name, ...settings, ...secret, ...others]);
} finally {
  await node?.stop();
  engine.close();
  rmSync(data, { recursive: true, force: true });
}

/** Not `spawnSync`: the suite calls the engine API of this process. */
function run(words) {
  const child = spawn(suite, words, { stdio: "inherit" });
  return new Promise((resolve) => child.once("close", (status) => resolve(status ?? 1)));
}

/** Responds to the only fork choice update of the suite, which ignores the response. */
async function startEngine() {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const status = { status: "VALID", latestValidHash: null, validationError: null };
      const result = { payloadStatus: status, payloadId: null };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
