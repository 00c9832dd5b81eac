import { toHex } from "@plinth/core";
import { selectorOf } from "./abi/book.js";
import { formatValues } from "./abi/decode.js";

/** The address that `console.log` calls; no contract is there. */
export const CONSOLE_ADDRESS = "0x000000000000000000636f6e736f6c652e6c6f67";

const TYPES = ["uint256", "string", "bool", "address"];
/** Type names of old versions of the library. */
const OLD_NAMES: Readonly<Record<string, string>> = { uint256: "uint" };
const MAX_PARAMETERS = 4;

let signatures: ReadonlyMap<string, readonly string[]> | undefined;

/** The output line of a console call; `undefined` if it is not one. */
export function formatConsoleCall(input: Uint8Array): string | undefined {
  signatures ??= createSignatures();
  const types = signatures.get(toHex(input.subarray(0, 4)));
  if (types === undefined) return undefined;
  const parameters = types.map((type) => ({ type }));
  return formatValues(input.subarray(4), parameters)?.map(unquote).join(" ");
}

/** Every overload of `log`, by its selector. */
function createSignatures(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const add = (name: string, types: readonly string[], written = types) =>
    found.set(selectorOf(`${name}(${written.join(",")})`), types);
  let lists: readonly (readonly string[])[] = [[]];
  for (let count = 0; count <= MAX_PARAMETERS; count++) {
    for (const types of lists) {
      add("log", types);
      add(
        "log",
        types,
        types.map((type) => OLD_NAMES[type] ?? type),
      );
    }
    lists = lists.flatMap((types) => TYPES.map((type) => [...types, type]));
  }
  for (const type of [
    "int256",
    "bytes",
    ...Array.from({ length: 32 }, (_, n) => `bytes${n + 1}`),
  ]) {
    add("log", [type]);
    add(`log${type === "int256" ? "Int" : `B${type.slice(1)}`}`, [type]);
  }
  add("logInt", ["int256"], ["int"]);
  add("log", ["int256"], ["int"]);
  add("log", ["string", "int256"]);
  return found;
}

/** Texts are printed without quotes, as written. */
function unquote(text: string): string {
  return text.startsWith('"') ? JSON.parse(text) : text;
}
