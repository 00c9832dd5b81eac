/** A parameter in an ABI. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly indexed?: boolean;
  /** Of a tuple, or of an array of tuples. */
  readonly components: readonly Parameter[];
}

/** An array of up to 8 dimensions; other types may take minutes to decode. */
const TYPE = /^(address|bool|string|bytes\d{0,2}|u?int\d{0,3}|function|tuple)(\[\d{0,6}\]){0,8}$/;
const MAX_DEPTH = 8;
const MAX_PARAMETERS = 200;

/** Reads the parameters of an ABI entry; `undefined` if they are not valid. */
export function readParameters(json: unknown, depth = 0): readonly Parameter[] | undefined {
  if (json === undefined) return [];
  if (!Array.isArray(json) || json.length > MAX_PARAMETERS || depth > MAX_DEPTH) return undefined;
  const parameters: Parameter[] = [];
  for (const each of json) {
    const { name, type, indexed, components } = Object(each);
    if (typeof type !== "string" || !TYPE.test(type)) return undefined;
    const inner = type.startsWith("tuple") ? readParameters(components, depth + 1) : [];
    if (inner === undefined) return undefined;
    const text = typeof name === "string" ? name.slice(0, 200) : "";
    parameters.push({ name: text, type, indexed: indexed === true, components: inner });
  }
  return parameters;
}

/** The type in signatures: tuples are expanded. */
export function canonical({ type, components }: Parameter): string {
  const full = type.replace(/^(u?int)(?=$|\[)/, "$1256");
  if (!full.startsWith("tuple")) return full;
  return `(${components.map(canonical).join(",")})${full.slice("tuple".length)}`;
}

/** The item of an array type, and its length if that is fixed. */
export function itemOf(
  parameter: Parameter,
): { readonly item: Parameter; readonly length: number | undefined } | undefined {
  const [, type, length] = /^(.*)\[(\d*)\]$/.exec(parameter.type) ?? [];
  if (type === undefined) return undefined;
  const item = { ...parameter, name: "", type };
  return { item, length: length === "" ? undefined : Number(length) };
}

/** Whether its data is elsewhere, and its place has the offset. */
export function isDynamic(parameter: Parameter): boolean {
  const list = itemOf(parameter);
  if (list !== undefined) return list.length === undefined || isDynamic(list.item);
  if (parameter.type === "tuple") return parameter.components.some(isDynamic);
  return parameter.type === "bytes" || parameter.type === "string";
}

/** The bytes that its place takes. */
export function headBytes(parameter: Parameter): number {
  if (isDynamic(parameter)) return 32;
  const list = itemOf(parameter);
  if (list !== undefined) return (list.length ?? 0) * headBytes(list.item);
  if (parameter.type !== "tuple") return 32;
  return parameter.components.reduce((sum, member) => sum + headBytes(member), 0);
}
