import { t } from "@plinth/core";

/** A type of Solidity's ABI. */
export type AbiType =
  | { readonly kind: "word"; readonly name: "uint" | "int" | "address" | "bool" }
  | { readonly kind: "fixed-bytes"; readonly size: number }
  | { readonly kind: "bytes" | "string" }
  /** Of any length if `length` is `undefined`. */
  | { readonly kind: "list"; readonly item: AbiType; readonly length: number | undefined }
  | { readonly kind: "tuple"; readonly members: readonly AbiMember[] };

/** A parameter of an event, or a member of a struct. */
export interface AbiMember {
  readonly name: string;
  readonly type: AbiType;
  /** Its canonical form in signatures. */
  readonly canonical: string;
}

const parameter = t.object({
  name: t.optional(t.text, ""),
  type: t.text,
  components: t.optional(t.array(t.json), []),
});

/** The name of an event or a parameter. */
export const NAME = /^[A-Za-z_$][\w$]{0,255}$/;
/** A name and up to eight dimensions; compilers emit no more than a few, and none of length 0. */
const FORM = /^([a-z0-9]{1,20})((?:\[(?:[1-9]\d{0,5})?\]){0,8})$/;
const WORDS = /^(uint|int)(\d+)$|^(address|bool)$/;
const FIXED_BYTES = /^bytes([1-9]|[12]\d|3[012])$/;
const MAX_DEPTH = 16;

/** The remaining number of parameters of an event, including those in structs. */
export interface ParameterBudget {
  parameters: number;
}

/**
 * Reads the parameters of an event, or the members of a struct; throws `RangeError` or `DecodeError` if one is invalid.
 *
 * Every value has at least one word, so that data bounds their number.
 */
export function readMembers(
  json: readonly unknown[],
  budget: ParameterBudget,
  depth = 0,
): readonly AbiMember[] {
  const members = json.map((each) => readMember(each, budget, depth));
  const names = members.map(({ name }) => name).filter((name) => name !== "");
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new RangeError(`it has two parameters "${repeated}"`);
  return members;
}

function readMember(json: unknown, budget: ParameterBudget, depth: number): AbiMember {
  budget.parameters -= 1;
  if (depth > MAX_DEPTH || budget.parameters < 0)
    throw new RangeError("it has too many parameters");
  const { name, type, components } = parameter.decode(json);
  if (name !== "" && !NAME.test(name)) {
    throw new RangeError(`${JSON.stringify(name)} is not the name of a parameter`);
  }
  const [, base = "", dimensions = ""] = FORM.exec(type) ?? [];
  const members = readMembers(components, budget, depth + 1);
  if (base === "tuple" && members.length === 0) throw new RangeError("it has an empty tuple");
  const bare: AbiType | undefined = base === "tuple" ? { kind: "tuple", members } : plainType(base);
  if (bare === undefined) throw new RangeError(`the type ${JSON.stringify(type)} is unknown`);
  const baseName =
    base === "tuple" ? `(${members.map(({ canonical }) => canonical).join(",")})` : base;
  const lists = [...dimensions.matchAll(/\[(\d*)\]/g)].map(([, length = ""]) => length);
  const listed = lists.reduce<AbiType>(
    (item, length) => ({ kind: "list", item, length: length === "" ? undefined : Number(length) }),
    bare,
  );
  return { name, type: listed, canonical: `${baseName}${dimensions}` };
}

function plainType(name: string): AbiType | undefined {
  const size = FIXED_BYTES.exec(name)?.[1];
  if (size !== undefined) return { kind: "fixed-bytes", size: Number(size) };
  if (name === "bytes" || name === "string") return { kind: name };
  const [, integer, bits, other] = WORDS.exec(name) ?? [];
  if (integer !== undefined && isBits(Number(bits)))
    return { kind: "word", name: integer as "uint" };
  return other === undefined ? undefined : { kind: "word", name: other as "address" };
}

function isBits(bits: number): boolean {
  return bits > 0 && bits <= 256 && bits % 8 === 0;
}

/** Whether the size of a value depends on the value. */
export function isDynamic(type: AbiType): boolean {
  if (type.kind === "list") return type.length === undefined || isDynamic(type.item);
  if (type.kind === "tuple") return type.members.some((member) => isDynamic(member.type));
  return type.kind === "bytes" || type.kind === "string";
}
