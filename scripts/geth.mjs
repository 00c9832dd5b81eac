// `npm run geth`: builds the geth that `test/clients` compares traces with. It needs Go and takes some minutes.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const VERSION = "v1.13.15";
const folder = fileURLToPath(new URL(`../node_modules/.cache/geth/${VERSION}/`, import.meta.url));
// Without the flag, newer linkers reject one of its libraries.
const words = ["-ldflags=-checklinkname=0", `github.com/ethereum/go-ethereum/cmd/geth@${VERSION}`];
const { status, error } = spawnSync("go", ["install", ...words], {
  env: { ...process.env, GOBIN: folder },
  stdio: "inherit",
});
if (error !== undefined) console.error(`go cannot be run: ${error.message}`);
process.exit(status ?? 1);
