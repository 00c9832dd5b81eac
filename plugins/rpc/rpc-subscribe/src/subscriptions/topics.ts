import { type Compatibility, DecodeError, RpcError, t } from "@plinth/core";
import { closestTo } from "@plinth/core/kernel";
import { logQuery } from "@plinth/kit-rpc";
import { logs } from "./logs.js";
import { newHeads } from "./new-heads.js";
import { dropped, pending } from "./pending.js";
import { syncing } from "./syncing.js";
import type { Topic } from "./topic.js";

const settings = t.optional(t.object({ includeTransactions: t.optional(t.boolean, false) }), {
  includeTransactions: false,
});

const TOPICS: Readonly<Record<string, (options: unknown) => Topic>> = {
  newHeads: (options) => newHeads(settings.decode(options)),
  logs: (options) => logs(logQuery.decode(options)),
  newPendingTransactions: (options) => pending(readFlag(options)),
  droppedPendingTransactions: (options) => dropped(readFlag(options)),
  syncing,
};

/** A longer text is not a misspelled name. */
const MAX_NAME_LENGTH = 32;

/** `; did you mean newHeads?` for `newHead`. */
function suggest(type: unknown, known: readonly string[]): string {
  if (typeof type !== "string" || type.length > MAX_NAME_LENGTH) return "";
  const [closest] = closestTo(type, known);
  return closest === undefined ? "" : `; did you mean ${closest}?`;
}

/** Some clients send only the flag. */
function readFlag(options: unknown): { readonly includeTransactions: boolean } {
  return typeof options === "boolean" ? { includeTransactions: options } : settings.decode(options);
}

/** The topic that a caller names; any problem with it makes the request invalid. */
export function readTopic(
  { type, options }: { readonly type: unknown; readonly options: unknown },
  { hasBareErrors }: Pick<Compatibility, "hasBareErrors">,
): Topic {
  const refuse = (detail: string) => RpcError.invalidRequest(hasBareErrors ? undefined : detail);
  const create = typeof type === "string" && Object.hasOwn(TOPICS, type) && TOPICS[type];
  if (!create) {
    const known = Object.keys(TOPICS);
    throw refuse(`type: expected one of ${known.join(", ")}${suggest(type, known)}`);
  }
  try {
    return create(options);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { path, expected } = error;
    throw refuse(`options${path === "" ? "" : `.${path}`}: expected ${expected}`);
  }
}
