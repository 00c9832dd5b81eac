import { DecodeError, type Hash, t } from "@plinth/core";
import type { Wanted } from "./subscriptions.js";

/** The records that a request asks for. */
export interface RangeQuery extends Wanted {
  readonly limit: number;
  /** How long to wait for the first record, if it is the next one to come. */
  readonly waitMs: number;
}

const DEFAULT_RECORDS = 1000;
const MAX_RECORDS = 10_000;
const MAX_WAIT_MS = 60_000;
const NUMBER = /^(\d{1,19}|0x[0-9a-f]{1,16})$/i;
const NAMES = ["from", "limit", "state", "wait", "previous"];

/** Reads the query of a request; throws `DecodeError` with the name of the parameter that is wrong. */
export function readRangeQuery(query: URLSearchParams): RangeQuery {
  for (const name of query.keys()) {
    if (!NAMES.includes(name))
      throw new DecodeError(name, `one of the parameters ${NAMES.join(", ")}`);
    if (query.getAll(name).length > 1) throw new DecodeError(name, "one value");
  }
  const from = query.get("from");
  if (from === null || !NUMBER.test(from) || BigInt(from) === 0n) {
    throw new DecodeError("from", "the number of a record, from 1 on");
  }
  return {
    sequence: BigInt(from),
    previous: readHash(query.get("previous")),
    state: readFlag(query.get("state")),
    limit: readCount(query, { name: "limit", least: 1, most: MAX_RECORDS }) ?? DEFAULT_RECORDS,
    waitMs: readCount(query, { name: "wait", least: 0, most: MAX_WAIT_MS }) ?? 0,
  };
}

function readHash(text: string | null): Hash | undefined {
  return text === null ? undefined : t.hash.decode(text, "previous");
}

function readFlag(text: string | null): boolean {
  if (text === null || text === "false") return false;
  if (text === "true") return true;
  throw new DecodeError("state", "true or false");
}

function readCount(
  query: URLSearchParams,
  { name, least, most }: { readonly name: string; readonly least: number; readonly most: number },
): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (count >= least && count <= most) return count;
  throw new DecodeError(name, `a number from ${least} to ${most}`);
}
