import { h, link } from "../dom.js";
import { CallError } from "../rpc.js";
import { findToken, readExpiry } from "../session.js";

/** Options that enable the methods of a namespace, besides that of the listener. */
const OPTIONS: Readonly<Record<string, string>> = {
  priv: "--privacy-enabled",
  eea: "--privacy-enabled",
  perm: "--permissions-nodes-config-file-enabled or --permissions-accounts-config-file-enabled",
};

/** An error in plain words, with the option or the permission that is missing. */
export function problem(error: unknown): HTMLElement {
  const isMissing = error instanceof CallError && error.isMissing;
  return h("p", { class: isMissing ? "notice" : "notice problem" }, ...describe(error));
}

/** The same as text. */
export function problemText(error: unknown): string {
  return problem(error).textContent ?? "";
}

function describe(error: unknown): readonly (string | Node)[] {
  if (!(error instanceof CallError)) {
    return [error instanceof Error ? error.message : String(error)];
  }
  const { method, message } = error;
  const namespace = method.split("_")[0] ?? "";
  if (error.isUnauthorized) {
    const permission = `${namespace}:${method.slice(namespace.length + 1)}`;
    const token = findToken();
    if ((readExpiry(token ?? "") ?? Number.POSITIVE_INFINITY) < Date.now() / 1000) {
      return ["The session has expired. ", link("login", "Log in again")];
    }
    return token === undefined
      ? [`${method} needs a token. `, link("login", "Log in")]
      : [
          `The token is not accepted, or lacks the permission ${permission}. `,
          link("login", "Log in again"),
        ];
  }
  if (error.isMissing) {
    const option = OPTIONS[namespace];
    return [
      `${method} is not available: ${message}. `,
      message.includes("--") ? "" : `Add ${namespace.toUpperCase()} to --rpc-http-api`,
      message.includes("--") || option === undefined ? "" : `, and enable ${option}`,
    ];
  }
  return [error.isUnreachable ? `${message}.` : `${method}: ${message}`];
}
