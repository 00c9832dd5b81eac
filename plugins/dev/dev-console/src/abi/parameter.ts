/** A parameter in an ABI file. */
export interface AbiParameter {
  readonly name?: string | undefined;
  readonly type: string;
  /** Of a tuple, or of an array of tuples. */
  readonly components?: readonly AbiParameter[] | undefined;
}

/** A name, which in libraries may be that of a struct, and up to 16 dimensions. */
const TYPE = /^[^[\]]{1,200}(\[\d{0,9}\]){0,16}$/;

/** Whether a type is one that compilers emit; others may take minutes to decode. */
export function isType(type: string): boolean {
  return TYPE.test(type);
}

/** The canonical type for selectors: tuples are expanded. */
export function canonicalType({ type, components = [] }: AbiParameter): string {
  if (!type.startsWith("tuple")) return type;
  return `(${components.map(canonicalType).join(",")})${type.slice("tuple".length)}`;
}

/** The item type of a list type: `uint256[]` → `uint256`. */
export function itemOf({
  type,
  components,
}: AbiParameter): { readonly item: AbiParameter; readonly length: number | undefined } | undefined {
  const [, base, length] = /^(.*)\[(\d*)\]$/s.exec(type) ?? [];
  if (base === undefined) return undefined;
  const item = { type: base, components };
  return { item, length: length === "" ? undefined : Number(length) };
}

/** Whether its length is in the data instead of the type. */
export function isDynamic(parameter: AbiParameter): boolean {
  const list = itemOf(parameter);
  if (list !== undefined) return list.length === undefined || isDynamic(list.item);
  if (parameter.type === "tuple") return (parameter.components ?? []).some(isDynamic);
  return parameter.type === "bytes" || parameter.type === "string";
}
