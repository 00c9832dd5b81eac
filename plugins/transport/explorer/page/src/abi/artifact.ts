import { type Entry, readAbi } from "./entry.js";

/** The contract that a file describes. */
export interface Artifact {
  readonly name: string;
  readonly entries: readonly Entry[];
  /** For the debugger: where the instructions of the deployed code come from. */
  readonly sourceMap: string | undefined;
  readonly deployedCode: string | undefined;
  /** Sources by the number that the source map has for them. */
  readonly sources: ReadonlyMap<number, Source>;
  /** Whether deployed code is that of this contract. */
  matches(code: string): boolean;
}

/** A source file. */
export interface Source {
  readonly path: string;
  readonly content: string;
}

/** A larger file is not read. */
export const MAX_FILE_BYTES = 64_000_000;
const MAX_CONTRACTS = 500;
const MAX_NAME = 200;

/** A file that has no ABI; the message is for the person who added it. */
export class InvalidFile extends Error {}

/**
 * Reads an ABI, an artifact of Hardhat, Foundry or Truffle, the metadata of a contract, or the
 * output of the compiler, also in the build information of Hardhat and Foundry.
 */
export function readArtifacts(file: string, text: string): readonly Artifact[] {
  if (text.length > MAX_FILE_BYTES) throw new InvalidFile(`${file} is larger than 64 MB`);
  return readJson(file, parse(file, text));
}

/** The same from parsed JSON. */
export function readJson(file: string, json: unknown): readonly Artifact[] {
  const found = Array.isArray(json)
    ? [createArtifact(nameOf(file), { abi: json })]
    : readObject(file, Object(json));
  if (found.every(({ entries }) => entries.length === 0)) {
    throw new InvalidFile(
      `${file} has no ABI: expected an artifact, metadata or a list of entries`,
    );
  }
  return found;
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidFile(`${file} is not JSON`);
  }
}

function readObject(file: string, json: Record<string, unknown>): readonly Artifact[] {
  const compiled = Object(json.output);
  const contracts = compiled.contracts ?? json.contracts;
  if (typeof contracts === "object" && contracts !== null) {
    const input = Object(json.input);
    const sources = readSources(Object(compiled.sources ?? json.sources), Object(input.sources));
    return Object.values(contracts as object)
      .flatMap((ofFile) => Object.entries(Object(ofFile)))
      .slice(0, MAX_CONTRACTS)
      .map(([name, contract]) => createArtifact(name, Object(contract), sources));
  }
  // Metadata has its ABI below `output`.
  const abi = json.abi ?? compiled.abi;
  const name = typeof json.contractName === "string" ? json.contractName : nameOf(file);
  return [createArtifact(name, { ...json, abi })];
}

function readSources(
  numbered: Record<string, unknown>,
  given: Record<string, unknown>,
): ReadonlyMap<number, Source> {
  return new Map(
    Object.entries(numbered).flatMap(([path, source]) => {
      const { id } = Object(source);
      const { content } = Object(given[path]);
      if (typeof id !== "number" || typeof content !== "string") return [];
      return [[id, { path, content }] as const];
    }),
  );
}

function createArtifact(
  name: string,
  json: Record<string, unknown>,
  sources: ReadonlyMap<number, Source> = new Map(),
): Artifact {
  const deployed = Object(Object(json.evm).deployedBytecode ?? json.deployedBytecode);
  const object =
    typeof json.deployedBytecode === "string" ? json.deployedBytecode : deployed.object;
  const sourceMap = json.deployedSourceMap ?? deployed.sourceMap;
  const code = typeof object === "string" ? object.replace(/^(0x)?/, "0x").toLowerCase() : "0x";
  const gaps = readGaps({ ...Object(deployed.immutableReferences), ...deployed.linkReferences });
  const pattern = code.length > 2 ? maskGaps(withoutMetadata(code), gaps) : undefined;
  return {
    name: name.slice(0, MAX_NAME),
    entries: readAbi(json.abi),
    sourceMap: typeof sourceMap === "string" ? sourceMap : undefined,
    deployedCode: pattern === undefined ? undefined : code,
    sources,
    matches(other) {
      if (pattern === undefined || other.length !== code.length) return false;
      return maskGaps(withoutMetadata(other.toLowerCase()), gaps) === pattern;
    },
  };
}

/** Places of immutable values and library addresses, which only the chain has. */
function readGaps(references: Record<string, unknown>): readonly (readonly [number, number])[] {
  return Object.values(references)
    .flatMap((each) => (Array.isArray(each) ? each : Object.values(Object(each)).flat()))
    .flatMap((each) => {
      const { start, length } = Object(each);
      return Number.isSafeInteger(start) && Number.isSafeInteger(length)
        ? [[start, length] as const]
        : [];
    });
}

function maskGaps(code: string, gaps: readonly (readonly [number, number])[]): string {
  let masked = code;
  for (const [start, length] of gaps) {
    const from = 2 + start * 2;
    const to = Math.min(masked.length, from + length * 2);
    if (from < to) masked = masked.slice(0, from) + "_".repeat(to - from) + masked.slice(to);
  }
  return masked;
}

/** Without the hash of the metadata, which depends on comments and paths. */
function withoutMetadata(code: string): string {
  const length = Number.parseInt(code.slice(-4), 16) * 2 + 4;
  return length > 4 && length < code.length - 2 ? code.slice(0, -length) : code;
}

function nameOf(file: string): string {
  return file.replace(/^.*[\\/]/, "").replace(/(\.metadata|\.abi|_meta|\.dbg)?\.(json|abi)$/i, "");
}
