#!/usr/bin/env node
// The npm compiler behind the two options that forge calls `solc` with.
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";

const require = createRequire(new URL("../contracts/package.json", import.meta.url));
const solc = require("solc");

if (process.argv.includes("--standard-json")) {
  process.stdout.write(solc.compile(await text(process.stdin)));
} else {
  process.stdout.write(`solc, the solidity compiler\nVersion: ${solc.version()}\n`);
}
