// `npm run nats`: builds the NATS server that `examples/plugin-sink` is tested with. It needs Go and takes some minutes.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const VERSION = "v2.10.29";
const folder = fileURLToPath(new URL(`../node_modules/.cache/nats/`, import.meta.url));
const { status, error } = spawnSync(
  "go",
  ["install", `github.com/nats-io/nats-server/v2@${VERSION}`],
  { env: { ...process.env, GOBIN: folder }, stdio: "inherit" },
);
if (error !== undefined) console.error(`go cannot be run: ${error.message}`);
process.exit(status ?? 1);
