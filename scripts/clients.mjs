// `npm run clients`: installs the client libraries that `test/clients` tests the node with, each in
// a separate package, and compiles the contracts they use; with `--all` also Hardhat and ponder, for
// `npm run long -- tools`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const CLIENTS = new URL("../test/clients/", import.meta.url);
// No package here needs its install scripts: what they would build or download is optional.
const QUIET = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
const INSTALL = ["npm", "ci", ...QUIET];
// Its optional packages for other platforms are not in every registry, but `npm ci` requires them.
const INSTALL_LOOSELY = ["npm", "install", "--no-save", ...QUIET];

/**
 * Hardhat 3 needs a newer Node.js than the one that runs this; its package includes one for Linux.
 */
const LINUX_ONLY = ["hardhat3"];
const isLinux = process.platform === "linux" && process.arch === "x64";

/** Hundreds of packages each, whose tests are in a long suite. */
const LONG_ONLY = ["hardhat", "hardhat3", "openzeppelin", "ponder"];
const isAll = process.argv.includes("--all");

const folders = readdirSync(CLIENTS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .filter(({ name }) => isLinux || !LINUX_ONLY.includes(name))
  .filter(({ name }) => isAll || !LONG_ONLY.includes(name));
await Promise.all(
  folders.map(({ name }) =>
    run(LINUX_ONLY.includes(name) ? INSTALL_LOOSELY : INSTALL, new URL(name, CLIENTS)),
  ),
);
for (const name of isAll ? ["contracts", "openzeppelin"] : ["contracts"]) {
  await run([process.execPath, "compile.mjs"], new URL(name, CLIENTS));
}

async function run([program, ...words], folder) {
  const child = spawn(program, words, { cwd: fileURLToPath(folder), stdio: "inherit" });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${program} ${words.join(" ")} failed in ${folder.pathname}`);
}
