import { Silence } from "./silence.js";

/** Codes of a method that a node does not know, or does not offer. */
const NOT_OFFERED: readonly unknown[] = [-32601, -32604];

/** The error of JSON-RPC that a node returned. */
export class Refusal extends Silence {
  readonly rpcCode: unknown;
  /** The words of the node alone. */
  readonly reason: string;
  readonly data: unknown;

  constructor(method: string, error: { code?: unknown; message?: unknown; data?: unknown }) {
    const { code, message, data } = error;
    const isMissing = NOT_OFFERED.includes(code);
    const namespace = method.split("_")[0]?.toUpperCase();
    const remedy = isMissing ? `; its --rpc-http-api should have ${namespace}` : "";
    super(`it refuses ${method}: ${message} (${code})${remedy}`);
    this.rpcCode = code;
    this.reason = String(message);
    this.data = data;
  }

  /** Whether the node does not have the method, or does not offer it to this caller. */
  get isMissingMethod(): boolean {
    return NOT_OFFERED.includes(this.rpcCode);
  }
}
