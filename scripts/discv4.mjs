// `npm run long -- discv4`: geth's conformance suite of discovery v4 against a node of ours, on
// loopback. It needs Go, which takes some minutes to build the suite once; without Go the tests are
// reported as skipped.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSuite, freePort, ROOT, startNode } from "./devp2p.mjs";

const suite = findSuite(15);
const data = mkdtempSync(join(tmpdir(), "plinth-discv4-"));
const node = await startNode([
  `--genesis-file=${join(ROOT, "examples/minimal-node/genesis.json")}`,
  `--data-path=${data}`,
  "--p2p-interface=127.0.0.1",
  `--p2p-port=${await freePort()}`,
  "--nat-method=NONE",
]);
try {
  const words = ["discv4", "test", "--remote", node.enode];
  const listeners = ["--listen1", "127.0.0.1", "--listen2", "127.0.0.2"];
  const { status } = spawnSync(suite, [...words, ...listeners], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  await node.stop();
  rmSync(data, { recursive: true, force: true });
}
