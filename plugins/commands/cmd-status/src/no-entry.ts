import { NodeUnreachable } from "./node-unreachable.js";

/** A node that requires a token, or rejects the given one. */
export class NoEntry extends NodeUnreachable {
  constructor(hadToken: boolean) {
    super(
      hadToken
        ? "it rejects the token: HTTP 401; tokens expire, and POST /login returns a new one"
        : "it requires a token: HTTP 401; set one with --token-file or --token, or use its IPC socket (--Xrpc-ipc-enabled)",
    );
  }
}
