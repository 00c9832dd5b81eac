import { type Artifact, readArtifacts, readJson } from "./artifact.js";
import { decode, type Value } from "./decode.js";
import type { Entry } from "./entry.js";
import type { Parameter } from "./parameter.js";
import { standardEntries } from "./standards.js";

/** A call, log or error by its ABI. */
export interface Decoded {
  readonly entry: Entry;
  readonly values: readonly Value[];
}

const entries = new Map<string, Entry[]>();
const artifacts: Artifact[] = [];
for (const entry of standardEntries()) addEntry(entry);

/** Reads a file with an ABI, an artifact, or the output of a compiler; returns what was in it. */
export function addFile(name: string, text: string): readonly Artifact[] {
  return addArtifacts(readArtifacts(name, text));
}

/** Adds contracts as the output of a compiler has them. */
export function addOutput(name: string, json: unknown): readonly Artifact[] {
  return addArtifacts(readJson(name, json));
}

function addArtifacts(found: readonly Artifact[]): readonly Artifact[] {
  for (const artifact of found) {
    artifacts.push(artifact);
    for (const entry of artifact.entries) addEntry(entry);
  }
  return found;
}

/** What was added from files. */
export function listArtifacts(): readonly Artifact[] {
  return artifacts;
}

/** The artifact of a contract, by its code. */
export function findArtifact(code: string): Artifact | undefined {
  return artifacts.findLast((artifact) => artifact.matches(code));
}

/** Decodes the input of a call; of several functions with one selector, the one that fits. */
export function decodeInput(input: string): Decoded | undefined {
  if (input.length < 10) return undefined;
  return firstFit(find("function", input.slice(0, 10)), (entry) =>
    decode(entry.inputs, `0x${input.slice(10)}`),
  );
}

/** Decodes the data of a revert. */
export function decodeError(data: string): Decoded | undefined {
  if (data.length < 10) return undefined;
  return firstFit(find("error", data.slice(0, 10)), (entry) =>
    decode(entry.inputs, `0x${data.slice(10)}`),
  );
}

/** Decodes a log. */
export function decodeLog({
  topics,
  data,
}: {
  readonly topics: readonly string[];
  readonly data: string;
}): Decoded | undefined {
  const [hash, ...indexed] = topics;
  if (hash === undefined) return undefined;
  return firstFit(find("event", hash), ({ inputs }) => {
    const hashed = inputs.filter((input) => input.indexed === true);
    if (hashed.length !== indexed.length) return undefined;
    const plain = decode(
      inputs.filter((input) => input.indexed !== true),
      data,
    );
    if (plain === undefined) return undefined;
    const rest = [...plain];
    const topicsLeft = [...indexed];
    return inputs.map((input) =>
      input.indexed === true
        ? topicValue(input, topicsLeft.shift() ?? "0x")
        : (rest.shift() ?? { name: input.name, type: input.type, text: "" }),
    );
  });
}

/** Of a type that does not fit into a topic, the hash is known only. */
function topicValue(input: Parameter, topic: string): Value {
  const { name, type } = input;
  const isHashed = /\]$|^(string|bytes|tuple)$/.test(type);
  const [value] = isHashed ? [] : (decode([input], topic) ?? []);
  return value ?? { name, type: `hash of ${type}`, text: topic };
}

/** The known functions whose selectors are in the code of a contract. */
export function functionsIn(code: string): readonly Entry[] {
  return [...entries.values()].flatMap(([entry]) =>
    entry?.kind === "function" && code.includes(`63${entry.hash.slice(2, 10)}`) ? [entry] : [],
  );
}

function firstFit(
  candidates: readonly Entry[],
  values: (entry: Entry) => readonly Value[] | undefined,
): Decoded | undefined {
  for (const entry of candidates) {
    const decoded = values(entry);
    if (decoded !== undefined) return { entry, values: decoded };
  }
  return undefined;
}

function addEntry(entry: Entry): void {
  const key = keyOf(entry.kind, entry.hash);
  const known = entries.get(key) ?? [];
  // The latest comes first: what a person adds goes before what is built in.
  if (known.length < 20) entries.set(key, [entry, ...known]);
}

function find(kind: Entry["kind"], hash: string): readonly Entry[] {
  return entries.get(keyOf(kind, hash)) ?? [];
}

function keyOf(kind: Entry["kind"], hash: string): string {
  return `${kind} ${(kind === "event" ? hash : hash.slice(0, 10)).toLowerCase()}`;
}
