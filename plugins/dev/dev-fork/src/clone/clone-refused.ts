import { ConfigError } from "@plinth/core";
import { RemoteRefusal } from "../remote/errors.js";
import { shown } from "../remote/shown.js";

const INVALID_PARAMS = -32602;

/** The state cannot be cloned from this node, or with these options. */
export class CloneRefused extends ConfigError {
  /** Whether a lazy fork of the node is possible nevertheless. */
  readonly allowsLazy: boolean;

  constructor(
    message: string,
    { cause, allowsLazy = false }: { readonly cause?: unknown; readonly allowsLazy?: boolean } = {},
  ) {
    super("FORK_REFUSED", { message: shown(message), option: "fork-url", cause });
    this.allowsLazy = allowsLazy;
  }

  /** Whether the node rejects the form of the arguments. */
  get isOfArguments(): boolean {
    return this.cause instanceof RemoteRefusal && this.cause.rpcCode === INVALID_PARAMS;
  }
}
