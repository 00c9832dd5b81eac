import { PlinthError } from "@plinth/core";
import { printable } from "@plinth/kit-rpc";
import type { Refusal } from "@plinth/plugin-cmd-status/api";

/** A node returned an error. */
export class NodeRefusal extends PlinthError {
  readonly rpcCode: unknown;
  /** The message of the node, safe for a terminal. */
  readonly reason: string;
  readonly data: unknown;
  /** Whether it does not have the method, or does not offer it here. */
  readonly isMissingMethod: boolean;

  constructor(url: string, refusal: Refusal) {
    super("NODE_REFUSED", {
      message: printable(`The node at ${url}: ${refusal.message}`),
      cause: refusal,
    });
    this.rpcCode = refusal.rpcCode;
    this.reason = printable(refusal.reason);
    this.data = refusal.data;
    this.isMissingMethod = refusal.isMissingMethod;
  }
}
