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

/** A name and up to eight dimensions; compilers emit no more than a few. */
const FORM = /^([a-z0-9]{1,20})((?:\[\d{0,6}\]){0,8})$/;
const WORDS = /^(uint|int)(\d+)$|^(address|bool)$/;
const FIXED_BYTES = /^bytes([1-9]|[12]\d|3[012])$/;
const MAX_DEPTH = 16;

/** The remaining number of parameters of an event, including those in structs. */
export interface ParameterBudget {
  parameters: number;
}

/** Reads a parameter of an ABI file; throws `RangeError` or `DecodeError` if it is not one. */
export function readMember(json: unknown, budget: ParameterBudget, depth = 0): AbiMember {
  budget.parameters -= 1;
  if (depth > MAX_DEPTH || budget.parameters < 0)
    throw new RangeError("it has too many parameters");
  const { name, type, components } = parameter.decode(json);
  const [, base = "", dimensions = ""] = FORM.exec(type) ?? [];
  const members = components.map((each) => readMember(each, budget, depth + 1));
  const bare: AbiType | undefined = base === "tuple" ? { kind: "tuple", members } : plainType(base);
  if (bare === undefined) throw new RangeError(`the type "${type}" is unknown`);
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
