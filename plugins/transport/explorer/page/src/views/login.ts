import type { View, ViewContext } from "../context.js";
import { type Child, fill, h } from "../dom.js";
import { formatTime } from "../format.js";
import { section } from "../parts/table.js";
import { CallError, call, getAddress } from "../rpc.js";
import { findToken, readExpiry, readPermissions, setToken } from "../session.js";

/** What each permission shows on this page. */
const NEEDS = [
  ["eth_blockNumber", "Blocks, transactions, addresses, tokens"],
  ["net_peerCount", "Number of peers"],
  ["plinth_status", "Health and the doctor"],
  ["txpool_content", "The pool"],
  ["trace_transaction", "Calls and state changes"],
  ["ots_getApiLevel", "History of addresses"],
  ["debug_traceTransaction", "The debugger"],
  ["admin_peers", "Peers"],
] as const;

/** Parameters with which a call fails early, if it is allowed at all. */
const PROBES: Readonly<Record<string, readonly unknown[]>> = {
  trace_transaction: [`0x${"0".repeat(64)}`],
  debug_traceTransaction: [`0x${"0".repeat(64)}`],
};

/** Logging in, and what the session may read. */
export function loginView(context: ViewContext): View {
  const token = findToken();
  return {
    title: token === undefined ? "Log in" : "Session",
    content: [
      token === undefined ? loginForm(context) : sessionParts(context, token),
      section("What this session may read", accessList()),
    ],
  };
}

function loginForm(context: ViewContext): HTMLElement {
  const result = h("p", { role: "alert" });
  const user = h("input", { id: "user", autocomplete: "username", required: true });
  const password = h("input", {
    id: "password",
    type: "password",
    autocomplete: "current-password",
    required: true,
  });
  const form = h(
    "form",
    { class: "stack" },
    h("p", {}, "The node asks for a login if its operator has enabled authentication."),
    h("label", { for: "user" }, "User"),
    user,
    h("label", { for: "password" }, "Password"),
    password,
    h("button", {}, "Log in"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void logIn(user.value, password.value).then((problem) => {
      if (problem === undefined) begin(context);
      else fill(result, h("span", { class: "error" }, problem));
    });
    password.value = "";
  });
  const input = h("input", { id: "token", type: "password", autocomplete: "off", required: true });
  const other = h(
    "form",
    { class: "stack" },
    h(
      "p",
      {},
      "A token of another issuer can be entered instead. It is kept in this tab until it is closed.",
    ),
    h("label", { for: "token" }, "Token"),
    input,
    h("button", {}, "Use the token"),
  );
  other.addEventListener("submit", (event) => {
    event.preventDefault();
    setToken(input.value.trim());
    begin(context);
  });
  return h("div", { class: "columns" }, form, other, result);
}

function begin(context: ViewContext): void {
  context.live.restart();
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

function sessionParts(context: ViewContext, token: string): HTMLElement {
  const permissions = readPermissions(token);
  const expiry = readExpiry(token);
  const leave = h("button", { type: "button" }, "Log out");
  leave.addEventListener("click", () => {
    setToken(undefined);
    begin(context);
  });
  return h(
    "div",
    {},
    permissions.length > 0 &&
      h("p", {}, "The token has the permissions ", h("code", {}, permissions.join(", ")), "."),
    expiry !== undefined && h("p", {}, `It is valid until ${formatTime(expiry)}.`),
    leave,
  );
}

async function logIn(username: string, password: string): Promise<string | undefined> {
  try {
    const response = await fetch(new URL("login", getAddress()), {
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: JSON.stringify({ username, password }),
    });
    if (response.status === 401) return "The user or the password is wrong.";
    if (response.status === 429) return "Too many attempts: wait a few seconds.";
    if (!response.ok) return `This node has no login: ${await response.text()}`;
    const { token } = await response.json();
    setToken(String(token));
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return "The node does not respond.";
  }
}

function accessList(): HTMLElement {
  const items = NEEDS.map(([method, meaning]) => {
    const state = h("span", { class: "dim" }, "…");
    void readAccess(method).then((text) => fill(state, text));
    return h("li", {}, meaning, ": ", state);
  });
  return h("ul", {}, ...items);
}

/** Whether a method may be called; an error in its parameters is one after that decision. */
async function readAccess(method: string): Promise<Child> {
  try {
    await call(method, PROBES[method] ?? []);
    return h("span", { class: "good" }, "yes");
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const permission = method.replace("_", ":");
    if (error.isUnauthorized)
      return h("span", { class: "error" }, `no: it needs the permission ${permission}`);
    if (error.isMissing) return h("span", { class: "dim" }, `not offered here: ${error.message}`);
    return h("span", { class: "good" }, "yes");
  }
}
