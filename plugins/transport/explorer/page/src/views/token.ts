import type { View, ViewContext } from "../context.js";
import { h, link } from "../dom.js";
import { formatUnits } from "../format.js";
import { addressLink } from "../parts/links.js";
import { load } from "../parts/load.js";
import { logPages } from "../parts/log-pages.js";
import { facts, section } from "../parts/table.js";
import {
  readBalance,
  readSupply,
  readToken,
  type Token,
  TRANSFER,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
  transfersIn,
} from "../tokens.js";
import { transferTable } from "./transfer-table.js";

/** A token: what it states about itself, and its transfers. */
export async function tokenView({ path }: ViewContext): Promise<View> {
  const address = (path[0] ?? "").toLowerCase();
  const token = /^0x[0-9a-f]{40}$/.test(address) ? await readToken(address) : undefined;
  if (token === undefined) {
    return {
      title: "Token",
      content: [h("p", {}, `${path[0] ?? ""} is not a token of ERC-20, ERC-721 or ERC-1155.`)],
    };
  }
  return {
    title: "Token",
    content: [
      facts([
        ["Name", h("bdi", {}, token.name ?? "none")],
        ["Symbol", h("bdi", {}, token.symbol ?? "none")],
        ["Kind", token.kind],
        token.kind === "ERC-20" && ["Decimals", token.decimals],
        token.kind !== "ERC-1155" && [
          "Supply",
          load(async () => (await readSupply(token)) ?? "unknown", "…"),
        ],
        [
          "Contract",
          [
            addressLink(address, true),
            " · ",
            link(`address/${address}/contract`, "read and write"),
          ],
        ],
      ]),
      token.kind !== "ERC-1155" && section("Balance of an account", balanceForm(token)),
      section(
        "Transfers",
        logPages([{ address, topics: [[TRANSFER, TRANSFER_SINGLE, TRANSFER_BATCH]] }], (logs) =>
          transferTable(transfersIn(logs), "Transfers of the token"),
        ),
      ),
    ].filter((part) => part !== false),
  };
}

function balanceForm(token: Token): HTMLElement {
  const field = h("input", {
    "aria-label": "Address of the account",
    placeholder: "0x…",
    spellcheck: "false",
  });
  const result = h("span", { role: "status" });
  const form = h("form", { class: "line" }, field, h("button", {}, "Show"), result);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const account = field.value.trim();
    if (!/^0x[0-9a-f]{40}$/i.test(account)) {
      result.textContent = "Enter an address of 20 bytes.";
      return;
    }
    void readBalance(token.address, account).then((balance) => {
      result.textContent =
        balance === undefined
          ? "The token does not return it."
          : formatUnits(balance, token.decimals);
    });
  });
  return form;
}
