import { keccakText } from "./keccak.js";
import { canonical, type Parameter, readParameters } from "./parameter.js";

/** A function, event or error of an ABI. */
export interface Entry {
  readonly kind: "function" | "event" | "error";
  readonly name: string;
  readonly signature: string;
  /** The hash of the signature: of functions and errors the first four bytes count. */
  readonly hash: string;
  readonly inputs: readonly Parameter[];
  readonly outputs: readonly Parameter[];
  readonly mutability: "pure" | "view" | "nonpayable" | "payable";
}

const NAME = /^[A-Za-z_$][\w$]{0,200}$/;
const MAX_ENTRIES = 2000;

/** The valid entries of an ABI in JSON. */
export function readAbi(json: unknown): readonly Entry[] {
  if (!Array.isArray(json)) return [];
  return json.slice(0, MAX_ENTRIES).flatMap((each) => readEntry(each) ?? []);
}

function readEntry(json: unknown): Entry | undefined {
  const { type = "function", name, inputs, outputs, stateMutability, anonymous } = Object(json);
  if (type !== "function" && type !== "event" && type !== "error") return undefined;
  if (typeof name !== "string" || !NAME.test(name) || anonymous === true) return undefined;
  const given = readParameters(inputs);
  const returned = readParameters(outputs);
  if (given === undefined || returned === undefined) return undefined;
  return createEntry(type, name, {
    inputs: given,
    outputs: returned,
    mutability: ["pure", "view", "payable"].includes(stateMutability)
      ? stateMutability
      : "nonpayable",
  });
}

/** An entry with its signature and hash. */
export function createEntry(
  kind: Entry["kind"],
  name: string,
  parts: Pick<Entry, "inputs" | "outputs" | "mutability">,
): Entry {
  const signature = `${name}(${parts.inputs.map(canonical).join(",")})`;
  return { kind, name, signature, hash: keccakText(signature), ...parts };
}
