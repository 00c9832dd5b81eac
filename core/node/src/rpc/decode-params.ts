import type { Compatibility, Method } from "@plinth/core";
import { type Codec, DecodeError, RpcError } from "@plinth/core";

/** Longer values are not repeated in an error. */
const MAX_SHOWN = 80;
const WRONG_NUMBER = "Invalid number of params";

/** A declared parameter. */
interface Param {
  readonly name: string;
  readonly codec: Codec<unknown>;
  readonly index: number;
}

/** The parameters of a method. */
interface Declared {
  readonly params: readonly Param[];
  /** The one that is checked before the others where errors have no details. */
  readonly first: Param | undefined;
  /** In the order of these checks. */
  readonly firstBefore: readonly Param[];
}

type Style = Pick<Compatibility, "reading" | "hasBareErrors">;

/** Made once for each method: that takes as long as to decode an address. */
const lists = new WeakMap<Method<unknown>["params"], Declared>();

/** Decodes the parameters of a request by name; throws `RpcError` if they are invalid. */
export function decodeParams(
  method: Method<unknown>,
  given: readonly unknown[],
  style: Style,
): Record<string, unknown> {
  const { params, firstBefore } = declaredBy(method);
  if (method.exactParams) verifyCount(params, given, style);
  const values: Record<string, unknown> = {};
  for (const param of style.hasBareErrors ? firstBefore : params) {
    const { name, codec, index } = param;
    const isRest = method.takesRest && index === params.length - 1;
    const json = isRest ? given.slice(index) : given[index];
    try {
      values[name] = codec.decode(json, "", style.reading);
    } catch (error) {
      throw orInvalid(error, { method, param, given, json, style });
    }
  }
  return values;
}

function declaredBy(method: Method<unknown>): Declared {
  let declared = lists.get(method.params);
  if (declared === undefined) {
    declared = listParams(method);
    lists.set(method.params, declared);
  }
  return declared;
}

function listParams(method: Method<unknown>): Declared {
  const entries = Object.entries(method.params);
  const params = entries.map(([name, codec], index) => ({ name, codec, index }));
  const first = params.find(({ codec }) => codec.first !== undefined);
  const others = params.filter((param) => param !== first);
  return { params, first, firstBefore: first === undefined ? params : [first, ...others] };
}

function verifyCount(
  params: readonly Param[],
  given: readonly unknown[],
  { hasBareErrors }: Style,
): void {
  // A leading null counts as no parameters when they are counted.
  const count = given.length === 1 && given[0] === null ? 0 : given.length;
  if (count === params.length) return;
  const names = params.map(({ name }) => name).join(", ");
  const detail = `expected ${params.length}${names === "" ? "" : ` (${names})`}, not ${count}`;
  throw RpcError.invalidParams(hasBareErrors ? WRONG_NUMBER : `${WRONG_NUMBER}: ${detail}`);
}

interface Failure {
  readonly method: Method<unknown>;
  readonly param: Param;
  readonly given: readonly unknown[];
  /** What the parameter was decoded from. */
  readonly json: unknown;
  readonly style: Style;
}

/** The error for the caller if a parameter could not be decoded. */
function orInvalid(error: unknown, { method, param, given, json, style }: Failure): unknown {
  if (!(error instanceof DecodeError)) return error;
  const { hasBareErrors } = style;
  // Besu reports some parameters regardless of the others; otherwise the first invalid one is
  // named.
  const first = hasBareErrors ? declaredBy(method).first : undefined;
  const isFirstMissing = first !== undefined && (given[first.index] ?? null) === null;
  if (isFirstMissing && param !== first && first.codec.first !== undefined) {
    return RpcError.invalidParams(first.codec.first.text);
  }
  const known = error.text;
  // A text with a colon already contains its reason.
  const isWhole = known !== undefined && (hasBareErrors || known.includes(": "));
  if (isWhole) return RpcError.invalidParams(known);
  const { path, expected } = error;
  const where = path === "" ? param.name : `${param.name}${path.startsWith("[") ? "" : "."}${path}`;
  const detail = `${where}: expected ${expected}${notThat(path === "" ? json : undefined)}`;
  return RpcError.invalidParams(`${known ?? "Invalid params"}: ${detail}`);
}

/** The given value, if it is a single value and short enough to be readable. */
function notThat(json: unknown): string {
  const isSingle = ["string", "number", "boolean"].includes(typeof json);
  return isSingle && String(json).length <= MAX_SHOWN ? `, not ${JSON.stringify(json)}` : "";
}
