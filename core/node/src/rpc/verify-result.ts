import { DecodeError, messageOf, RpcError } from "@plinth/core";
import { isInMemory, JsonPieces, type Part, type RegisteredMethod, sizeOf } from "@plinth/core/rpc";
import { encodeResult } from "./encode-result.js";

/** Number of results per method that are verified first, unless they are long altogether. */
const FIRST_RESULTS = 100;
const FIRST_CHARACTERS = 256 * 1024;
/** Then one in this many: verifying costs more than encoding. */
const LATER_SHARE = 100;

/** Selects which results are verified. */
export class ResultChecks {
  readonly #seen = new Map<RegisteredMethod, { results: number; characters: number }>();

  /** Encodes a result, and verifies it if it is selected. */
  encode(entry: RegisteredMethod, result: unknown): Part {
    let seen = this.#seen.get(entry);
    if (seen === undefined) {
      seen = { results: 0, characters: 0 };
      this.#seen.set(entry, seen);
    }
    const isFirst = seen.results < FIRST_RESULTS && seen.characters < FIRST_CHARACTERS;
    const isDue = isFirst || seen.results % LATER_SHARE === 0;
    seen.results += 1;
    if (!isDue) return encodeResult(entry.method, result);
    const part = encodeVerified(entry, result);
    seen.characters += sizeOf([part]);
    return part;
  }
}

/**
 * Encodes a result and decodes it with the codec of the method.
 *
 * For development: throws an error that names the plugin and the method if the two do not match.
 * Streams are not verified.
 */
function encodeVerified(entry: RegisteredMethod, result: unknown): Part {
  const part = orMismatch(entry, () => encodeResult(entry.method, result));
  if (isInMemory(part)) {
    const whole = part instanceof JsonPieces ? part.join() : part;
    const text = typeof whole === "string" ? whole : Buffer.from(whole).toString("utf8");
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

/**
 * A result that does not match its method's declaration; callers get it as an error in development.
 */
export class ResultMismatch extends RpcError {
  constructor(message: string) {
    super(-32603, message);
  }
}
