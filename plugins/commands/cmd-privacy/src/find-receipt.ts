import { setTimeout as sleep } from "node:timers/promises";
import { type Hash, t } from "@plinth/core";
import { printable } from "@plinth/kit-rpc";
import type { NodeLink } from "./node-link.js";
import { NodeRefusal } from "./node-refusal.js";
import { type PrivateStatus, privateStatus } from "./private-receipt.js";

const POLL_MS = 200;
/** States of a transaction in progress: worth another request. */
const UNDERWAY: readonly (string | undefined)[] = ["submitted", "mined", "delivered"];
const NOT_A_PARTY = "not a party";

/** A receipt as returned by the node, or why there is none. */
export type FoundReceipt =
  | { readonly json: object; readonly missing?: undefined }
  | { readonly missing: string; readonly json?: undefined };

/** Requests a receipt, repeatedly until a deadline if the caller waits. */
export async function findReceipt(
  link: NodeLink,
  hash: Hash,
  { until, signal }: { readonly until: number; readonly signal: AbortSignal },
): Promise<FoundReceipt> {
  for (;;) {
    const found = await findOnce(link, hash);
    const isOver = Date.now() + POLL_MS >= until || signal.aborted;
    if ("json" in found.answer || found.isFinal || isOver) return found.answer;
    // Aborted: the next request is the last one.
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

async function findOnce(
  link: NodeLink,
  hash: Hash,
): Promise<{ readonly answer: FoundReceipt; readonly isFinal?: boolean }> {
  try {
    const json = await link.ask("priv_getTransactionReceipt", t.optional(t.json), [hash]);
    if (json !== undefined) return { answer: { json: Object(json) } };
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error;
    // A node whose manager is unreachable refuses; it has the receipt later.
    const status = await findStatus(link, hash);
    if (!UNDERWAY.includes(status?.status)) throw error;
    return { answer: { missing: explainMissing(status) } };
  }
  const status = await findStatus(link, hash);
  return {
    answer: { missing: explainMissing(status) },
    isFinal: status?.status === NOT_A_PARTY,
  };
}

/** The status of a private transaction; `undefined` if the node does not offer it. */
export function findStatus(link: NodeLink, hash: Hash): Promise<PrivateStatus | undefined> {
  return link.askIfOffered("plinth_privateTransactionStatus", privateStatus, [hash]);
}

/** Why there is no receipt. */
export function explainMissing(found: PrivateStatus | undefined): string {
  if (found === undefined) {
    return "its marker is not in a block yet, or the node is not a party; with PLINTH in its --rpc-http-api it would report which";
  }
  const { status, blockNumber, reason } = found;
  const because = reason === undefined ? "" : `: ${printable(reason)}`;
  switch (status) {
    case "submitted":
      return "its marker is pending in the pool";
    case "mined":
      return `its marker is in block ${blockNumber}, its payload is not fetched yet${because}`;
    case "delivered":
      return `its marker is in block ${blockNumber}, and its execution is pending${because}`;
    case NOT_A_PARTY:
      return `its marker is in block ${blockNumber}, and the node is not a party`;
    case "unknown":
      return "the node has no marker with this hash";
    default:
      return `it is ${printable(status)} in block ${blockNumber}${because}`;
  }
}
