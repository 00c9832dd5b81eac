import { messageOf, PlinthError } from "@plinth/core";
import { type JsonMember, readMembers } from "./json-members.js";
import { type Curve, readCurve } from "./key-pairs.js";

/** The parsed configuration of a network. */
export interface NetworkInput {
  /** The members of the genesis file, as in the input. */
  readonly genesis: readonly JsonMember[];
  /** `config` of the genesis file. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly curve: Curve;
  /** The number of keys to generate, or the existing public keys. */
  readonly nodes: { readonly count: number } | { readonly keys: readonly unknown[] };
}

/** Whether a member of the genesis file is its extra data, case-insensitively. */
export function isExtraData({ key }: JsonMember): boolean {
  return key.toLowerCase() === "extradata";
}

const MAX_NODES = 10_000;

/** Reads the configuration file of a network; throws if it is invalid. */
export function parseInput(text: string): NetworkInput {
  const json = parseJson(text);
  const config = Object(json.genesis).config;
  if (!isObject(config)) throw invalid("Missing config section in config file");
  const genesis = readMembers(text).findLast(({ key }) => key === "genesis")?.value ?? "{}";
  const { nodes = {} } = Object(json.blockchain);
  return {
    genesis: readMembers(genesis),
    config,
    curve: readCurve(config.ecCurve),
    nodes: readNodes(Object(nodes)),
  };
}

function parseJson(text: string): Readonly<Record<string, unknown>> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw invalid(`the config file is not JSON: ${messageOf(error)}`, error);
  }
  if (isObject(json)) return json;
  throw invalid('expected an object with "genesis" and "blockchain" in the config file');
}

function readNodes({
  generate = false,
  count = 0,
  keys = [],
}: Readonly<Record<string, unknown>>): NetworkInput["nodes"] {
  if (typeof generate !== "boolean") {
    throw invalid(`blockchain.nodes.generate is ${show(generate)}; expected true or false`);
  }
  if (!generate && Array.isArray(keys)) return { keys };
  if (!generate) throw invalid(`blockchain.nodes.keys is ${show(keys)}; expected a list of keys`);
  const isCount = Number.isInteger(count) && Number(count) >= 1 && Number(count) <= MAX_NODES;
  if (isCount) return { count: Number(count) };
  throw invalid(`blockchain.nodes.count is ${show(count)}; expected 1 to ${MAX_NODES}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return JSON.stringify(value);
}

function invalid(message: string, cause?: unknown): PlinthError {
  return new PlinthError("INPUT_INVALID", { message, cause });
}
