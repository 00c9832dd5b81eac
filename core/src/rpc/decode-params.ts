import { type Codec, DecodeError, type Reading } from "../codec/codec.js";
import { RpcError } from "./errors.js";
import type { Method } from "./method.js";

/** Reads the parameters of a request by name; throws `RpcError` when they do not fit. */
export function decodeParams(
  method: Method<unknown>,
  given: readonly unknown[],
  reading: Reading,
): Record<string, unknown> {
  const declared = Object.entries(method.params);
  // A leading null counts as "no parameters" where the number is checked.
  const count = given.length === 1 && given[0] === null ? 0 : given.length;
  if (method.exactParams && count !== declared.length) {
    throw RpcError.invalidParams("Invalid number of params");
  }
  const values: Record<string, unknown> = {};
  const first = declared.findIndex(([, codec]) => codec.first !== undefined);
  const decode = (index: number, text?: string) => {
    const [name, codec] = declared[index] ?? ["", undefined];
    if (codec === undefined) return;
    const isRest = method.takesRest && index === declared.length - 1;
    const json = isRest ? given.slice(index) : given[index];
    values[name] = decodeParam({ name, codec, json, text, reading });
  };
  if (first >= 0) decode(first);
  const isFirstMissing = first >= 0 && (given[first] ?? null) === null;
  const text = isFirstMissing ? declared[first]?.[1].first?.text : undefined;
  for (let index = 0; index < declared.length; index++) if (index !== first) decode(index, text);
  return values;
}

function decodeParam({
  name,
  codec,
  json,
  text,
  reading,
}: {
  readonly name: string;
  readonly codec: Codec<unknown>;
  readonly json: unknown;
  readonly text: string | undefined;
  readonly reading: Reading;
}): unknown {
  try {
    return codec.decode(json, "", reading);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { path, expected } = error;
    const where = path === "" ? name : `${name}${path.startsWith("[") ? "" : "."}${path}`;
    const own = error.text ?? `Invalid params: ${where}: expected ${expected}`;
    throw RpcError.invalidParams(text ?? own);
  }
}
