// `npm run long -- geth-evm`: builds the EVMs of geth that ours is compared with. It needs Go and takes some minutes.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** One version for the forks up to Cancun, one for Prague and Osaka. */
const VERSIONS = [
  // Without the flag, newer linkers reject one of its libraries.
  { version: "v1.13.15", flags: ["-ldflags=-checklinkname=0"] },
  { version: "v1.16.9", flags: [] },
];

for (const { version, flags } of VERSIONS) {
  const folder = fileURLToPath(new URL(`../node_modules/.cache/geth/${version}/`, import.meta.url));
  const name = `github.com/ethereum/go-ethereum/cmd/evm@${version}`;
  const { status, error } = spawnSync("go", ["install", ...flags, name], {
    env: { ...process.env, GOBIN: folder },
    stdio: "inherit",
  });
  if (error !== undefined) console.error(`go cannot be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
