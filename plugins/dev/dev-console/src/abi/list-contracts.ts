import { readFile } from "node:fs/promises";
import { basename, relative } from "node:path";

/** Maximum number of contracts. */
const MAX_CONTRACTS = 500;
/** Text of all contracts together: they are sent as one response. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Contracts by file and name, as in the output of the compiler. */
export interface ListedContracts {
  readonly contracts: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** Number of files beyond these limits. */
  readonly omitted: number;
}

/** Reads ABIs and deployed code from artifacts, without sources and the like. */
export async function listContracts(paths: Iterable<string>): Promise<ListedContracts> {
  const contracts: Record<string, Record<string, object>> = {};
  let count = 0;
  let omitted = 0;
  let characters = 0;
  for (const path of paths) {
    const artifact = count < MAX_CONTRACTS ? await readContract(path) : undefined;
    const size = artifact === undefined ? 0 : JSON.stringify(artifact.contract).length;
    if (artifact === undefined || characters + size > MAX_CHARACTERS) {
      omitted += 1;
      continue;
    }
    count += 1;
    characters += size;
    contracts[relative("", path)] = { [artifact.name]: artifact.contract };
  }
  return { contracts, omitted };
}

/** `undefined` if the file is gone, or a compiler is writing it. */
async function readContract(path: string) {
  try {
    const json: unknown = JSON.parse(await readFile(path, "utf8"));
    const parts = Array.isArray(json) ? { abi: json } : Object(json);
    const { abi, deployedBytecode: code, contractName = basename(path, ".json") } = parts;
    const { object, immutableReferences, linkReferences } = Object(code);
    const isText = typeof code === "string" || code === undefined;
    const deployedBytecode = isText ? code : { object, immutableReferences, linkReferences };
    return { name: String(contractName), contract: { abi, deployedBytecode } };
  } catch {
    return undefined;
  }
}
