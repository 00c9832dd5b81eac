// Writes `dist/NAME.json`, the ABI and the code, for every contract in `src`, and `dist/build/all.json`
// with all of them and their sources, as build information has them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import solc from "solc";

const SOURCES = new URL("src/", import.meta.url);
const TARGET = new URL("dist/", import.meta.url);
const SETTINGS = JSON.parse(readFileSync(new URL("settings.json", import.meta.url), "utf8"));

const input = {
  language: "Solidity",
  sources: Object.fromEntries(
    readdirSync(SOURCES).map((name) => [
      name,
      { content: readFileSync(new URL(name, SOURCES), "utf8") },
    ]),
  ),
  settings: {
    ...SETTINGS,
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode"] } },
  },
};
const output = JSON.parse(solc.compile(JSON.stringify(input)));
const { contracts = {}, errors = [] } = output;
if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));

mkdirSync(new URL("build/", TARGET), { recursive: true });
writeFileSync(new URL("build/all.json", TARGET), JSON.stringify({ input, output }));
for (const [name, { abi, evm }] of Object.values(contracts).flatMap(Object.entries)) {
  const artifact = { abi, bytecode: `0x${evm.bytecode.object}` };
  writeFileSync(new URL(`${name}.json`, TARGET), `${JSON.stringify(artifact, undefined, 2)}\n`);
}
