import { Silence } from "./silence.js";

/** A node that asks for a token, or does not take the one that it got. */
export class NoEntry extends Silence {
  constructor(hadToken: boolean) {
    super(
      hadToken
        ? "it does not take the token: HTTP 401; tokens expire, and POST /login returns a new one"
        : "it asks for a token: HTTP 401; name one with --token-file or --token, or ask its IPC socket (--Xrpc-ipc-enabled)",
    );
  }
}
