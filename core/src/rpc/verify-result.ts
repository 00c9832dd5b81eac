import { DecodeError } from "../codec/codec.js";
import { messageOf } from "../kernel/errors.js";
import type { Part } from "./answer.js";
import { encodeResult } from "./encode-result.js";
import { RpcError } from "./errors.js";
import type { RegisteredMethod } from "./namespaces.js";

/** So many results of a method are checked, and then every so many-th one: checking costs more than answering. */
const CHECKED = 100;

/** Counts the results of each method, to check the first ones and few of the others. */
export class ResultChecks {
  readonly #counts = new WeakMap<RegisteredMethod, number>();

  /** Whether the result of this call is to be checked. */
  isDue(entry: RegisteredMethod): boolean {
    const count = this.#counts.get(entry) ?? 0;
    this.#counts.set(entry, count + 1);
    return count < CHECKED || count % CHECKED === 0;
  }
}

/**
 * Encodes a result and reads it back with the codec that the method declares.
 *
 * For development: throws an error that names the plugin and the method when the two do not match.
 * Streams are not checked.
 */
export function encodeVerified(entry: RegisteredMethod, result: unknown): Part {
  const part = orMismatch(entry, () => encodeResult(entry.method, result));
  if (typeof part === "string" || part instanceof Uint8Array) {
    const text = typeof part === "string" ? part : Buffer.from(part).toString("utf8");
    orMismatch(entry, () => entry.method.result.decode(JSON.parse(text)));
  }
  return part;
}

function orMismatch<T>({ plugin, fullName }: RegisteredMethod, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    const problem =
      error instanceof DecodeError && error.path === ""
        ? `expected ${error.expected}`
        : messageOf(error);
    throw new ResultMismatch(
      `${plugin} returned a result of ${fullName} that does not match its codec: ${problem}`,
    );
  }
}

/** A result that is not what its method declares, which callers get as an error in development. */
export class ResultMismatch extends RpcError {
  constructor(message: string) {
    super(-32603, message);
  }
}
