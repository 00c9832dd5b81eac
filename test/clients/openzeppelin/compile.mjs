// Writes `dist/NAME.json`, the ABI and the code, for every contract of `src` and those of
// OpenZeppelin that it imports, with the compiler's defaults.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const HERE = new URL(".", import.meta.url);
const solc = createRequire(new URL("../contracts/package.json", import.meta.url))("solc");
const read = (path) => ({
  contents: readFileSync(new URL(`node_modules/${path}`, HERE), "utf8"),
});

const names = readdirSync(new URL("src/", HERE));
const input = {
  language: "Solidity",
  sources: Object.fromEntries(
    names.map((name) => [name, { content: readFileSync(new URL(`src/${name}`, HERE), "utf8") }]),
  ),
  settings: { outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } },
};
const output = JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));

const target = new URL("dist/", HERE);
mkdirSync(target, { recursive: true });
for (const [name, { abi, evm }] of Object.values(output.contracts).flatMap(Object.entries)) {
  if (evm.bytecode.object === "") continue;
  const artifact = { contractName: name, abi, bytecode: `0x${evm.bytecode.object}` };
  writeFileSync(new URL(`${name}.json`, target), `${JSON.stringify(artifact)}\n`);
}
