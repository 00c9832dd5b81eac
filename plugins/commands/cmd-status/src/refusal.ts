import { NodeUnreachable } from "./node-unreachable.js";

/** Error codes of a method that a node does not have, or does not offer. */
const NOT_OFFERED: readonly unknown[] = [-32601, -32604];

/** Maximum length of a repeated message. */
const MAX_SHOWN = 1000;

/** A JSON-RPC error that a node returned. */
export class Refusal extends NodeUnreachable {
  readonly rpcCode: unknown;
  /** The message of the node. */
  readonly reason: string;
  readonly data: unknown;

  constructor(method: string, error: { code?: unknown; message?: unknown; data?: unknown }) {
    const { code, message, data } = error;
    const isMissing = NOT_OFFERED.includes(code);
    const namespace = method.split("_")[0]?.toUpperCase();
    const remedy = isMissing ? `; its --rpc-http-api should have ${namespace}` : "";
    const reason = String(message).slice(0, MAX_SHOWN);
    super(`it refuses ${method}: ${reason} (${String(code).slice(0, MAX_SHOWN)})${remedy}`);
    this.rpcCode = code;
    this.reason = reason;
    this.data = data;
  }

  /** Whether the node does not have the method, or does not offer it to this caller. */
  get isMissingMethod(): boolean {
    return NOT_OFFERED.includes(this.rpcCode);
  }
}
