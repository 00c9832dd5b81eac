import type { Compatibility, Method } from "@plinth/core";
import { type Codec, DecodeError, RpcError } from "@plinth/core";
import type { Reading } from "@plinth/core/codec";

/** Longer values are not repeated in an error. */
const MAX_SHOWN = 80;
const WRONG_NUMBER = "Invalid number of params";

type Declared = readonly (readonly [string, Codec<unknown>])[];

/** The parameters of methods as lists: to make one takes as long as to decode an address. */
const lists = new WeakMap<Method<unknown>["params"], Declared>();

/** Decodes the parameters of a request by name; throws `RpcError` if they are invalid. */
export function decodeParams(
  method: Method<unknown>,
  given: readonly unknown[],
  { reading, hasBareErrors }: Pick<Compatibility, "reading" | "hasBareErrors">,
): Record<string, unknown> {
  const declared = listOf(method);
  // A leading null counts as no parameters when they are counted.
  const count = given.length === 1 && given[0] === null ? 0 : given.length;
  if (method.exactParams && count !== declared.length) {
    throw RpcError.invalidParams(
      hasBareErrors ? WRONG_NUMBER : `${WRONG_NUMBER}: ${formatNumber(declared, count)}`,
    );
  }
  const values: Record<string, unknown> = {};
  // Besu reports some parameters regardless of the others; otherwise the first invalid one is
  // named.
  const first = hasBareErrors ? declared.findIndex(([, codec]) => codec.first !== undefined) : -1;
  const decode = (index: number, text?: string) => {
    const [name, codec] = declared[index] ?? ["", undefined];
    if (codec === undefined) return;
    const isRest = method.takesRest && index === declared.length - 1;
    const json = isRest ? given.slice(index) : given[index];
    values[name] = decodeParam({ name, codec, json, text, reading, hasBareErrors });
  };
  if (first >= 0) decode(first);
  const isFirstMissing = first >= 0 && (given[first] ?? null) === null;
  const text = isFirstMissing ? declared[first]?.[1].first?.text : undefined;
  for (let index = 0; index < declared.length; index++) if (index !== first) decode(index, text);
  return values;
}

function listOf({ params }: Method<unknown>): Declared {
  let list = lists.get(params);
  if (list === undefined) {
    list = Object.entries(params);
    lists.set(params, list);
  }
  return list;
}

function formatNumber(declared: Declared, count: number): string {
  const names = declared.map(([name]) => name).join(", ");
  return `expected ${declared.length}${names === "" ? "" : ` (${names})`}, not ${count}`;
}

function decodeParam({
  name,
  codec,
  json,
  text,
  reading,
  hasBareErrors,
}: {
  readonly name: string;
  readonly codec: Codec<unknown>;
  readonly json: unknown;
  readonly text: string | undefined;
  readonly reading: Reading;
  readonly hasBareErrors: boolean;
}): unknown {
  try {
    return codec.decode(json, "", reading);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { path, expected } = error;
    const where = path === "" ? name : `${name}${path.startsWith("[") ? "" : "."}${path}`;
    const detail = `${where}: expected ${expected}${notThat(path === "" ? json : undefined)}`;
    if (text !== undefined) throw RpcError.invalidParams(text);
    const known = error.text;
    // A text with a colon already contains its reason.
    const isWhole = known !== undefined && (hasBareErrors || known.includes(": "));
    if (isWhole) throw RpcError.invalidParams(known);
    throw RpcError.invalidParams(`${known ?? "Invalid params"}: ${detail}`);
  }
}

/** The given value, if it is a single value and short enough to be readable. */
function notThat(json: unknown): string {
  const isSingle = ["string", "number", "boolean"].includes(typeof json);
  return isSingle && String(json).length <= MAX_SHOWN ? `, not ${JSON.stringify(json)}` : "";
}
