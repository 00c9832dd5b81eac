import { DecodeError, keccak256, t, toHex } from "@plinth/core";
import { type AddressStyle, formatValues } from "./decode.js";
import { type AbiParameter, canonicalType, isType } from "./parameter.js";

/** A function or an error described by ABI files. */
interface Entry {
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
}

/** The used parts of a compiler artifact. */
export interface Artifact {
  readonly name: string | undefined;
  readonly abi: readonly unknown[];
  /** The creation code, without arguments. */
  readonly bytecode: string | undefined;
}

const parameter: ReturnType<typeof t.object> = t.object({
  name: t.optional(t.text),
  type: t.text,
  components: t.optional(t.array(t.json)),
}) as never;
const item = t.object({
  type: t.optional(t.text),
  name: t.optional(t.text),
  inputs: t.optional(t.array(t.json), []),
});

/** Long enough to differ between contracts: the metadata of Solidity takes 53 bytes. */
const TAIL_BYTES = 48;

/** Maximum nesting of structs; contracts have a handful of levels. */
const MAX_DEPTH = 16;
/** Maximum number of parameters of a function, including those in structs. */
const MAX_PARAMETERS = 1000;

/** Names of functions, errors and contracts. */
export class AbiBook {
  readonly #functions = new Map<string, Entry>();
  readonly #errors = new Map<string, Entry>();
  /** By the last bytes of the creation code, and by its hash, for each of its lengths. */
  readonly #contracts = new Map<number, Map<string, Map<string, string>>>();

  add({ name, abi, bytecode }: Artifact): void {
    for (const json of abi) this.#addItem(json);
    if (name === undefined || bytecode === undefined) return;
    const code = Buffer.from(bytecode.replace(/^0x/, ""), "hex");
    // Code with unresolved links is truncated at the first of them, and would match anything.
    if (code.length * 2 !== bytecode.replace(/^0x/, "").length || code.length === 0) return;
    const sameLength = this.#contracts.get(code.length) ?? new Map<string, Map<string, string>>();
    const tail = tailOf(code, code.length);
    const sameTail = sameLength.get(tail) ?? new Map<string, string>();
    sameLength.set(tail, sameTail.set(toHex(keccak256(code)), name));
    this.#contracts.set(code.length, sameLength);
  }

  /** The contract that a transaction creates. */
  findContract(initCode: Uint8Array): string | undefined {
    for (const [length, byTail] of this.#contracts) {
      if (length > initCode.length) continue;
      // A project has hundreds of contracts: hashing the code for each of their lengths takes as
      // long as a block.
      const byHash = byTail.get(tailOf(initCode, length));
      const name = byHash?.get(toHex(keccak256(initCode.subarray(0, length))));
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /** `transfer(0x7099…79c8, 25)`. */
  describeCall(data: Uint8Array): string | undefined {
    return describe(this.#functions, data);
  }

  /** `NotOwner(0x7099…79c8)`. */
  describeError(data: Uint8Array, addresses?: AddressStyle): string | undefined {
    return describe(this.#errors, data, addresses);
  }

  #addItem(json: unknown): void {
    const { type, name, inputs } = item.decode(json);
    const entries =
      type === "function" ? this.#functions : type === "error" ? this.#errors : undefined;
    if (entries === undefined || name === undefined) return;
    const place = { depth: 0, budget: { parameters: MAX_PARAMETERS } };
    const parameters = inputs.map((input) => readParameter(input, place));
    const signature = `${name}(${parameters.map(canonicalType).join(",")})`;
    entries.set(selectorOf(signature), { name, inputs: parameters });
  }
}

/** The end of code of this length, where the compiler puts a hash of the source. */
function tailOf(code: Uint8Array, length: number): string {
  return toHex(code.subarray(Math.max(0, length - TAIL_BYTES), length));
}

/** The selector of a function or an error. */
export function selectorOf(signature: string): string {
  return toHex(keccak256(Buffer.from(signature)).subarray(0, 4));
}

function describe(
  entries: ReadonlyMap<string, Entry>,
  data: Uint8Array,
  addresses?: AddressStyle,
): string | undefined {
  const entry = entries.get(toHex(data.subarray(0, 4)));
  if (entry === undefined) return undefined;
  const values = formatValues(data.subarray(4), entry.inputs, addresses);
  return values && `${entry.name}(${values.join(", ")})`;
}

/** Position of a parameter: its depth, and the remaining budget. */
interface Place {
  readonly depth: number;
  readonly budget: { parameters: number };
}

function readParameter(json: unknown, place: Place): AbiParameter {
  place.budget.parameters -= 1;
  if (place.depth > MAX_DEPTH || place.budget.parameters < 0) {
    throw new DecodeError("inputs", `at most ${MAX_PARAMETERS} in ${MAX_DEPTH} levels`);
  }
  const { name, type, components } = parameter.decode(json) as {
    readonly name: string | undefined;
    readonly type: string;
    readonly components: readonly unknown[] | undefined;
  };
  if (!isType(type))
    throw new DecodeError("type", "a type such as uint256[4][], with at most 16 dimensions");
  const inner = { depth: place.depth + 1, budget: place.budget };
  return { name, type, components: components?.map((each) => readParameter(each, inner)) };
}
