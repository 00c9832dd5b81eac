import { findArtifact } from "../abi/book.js";
import type { View, ViewContext } from "../context.js";
import { type Child, h, link } from "../dom.js";
import { formatEther, formatNumber, toBig, toNumber } from "../format.js";
import {
  addressLink,
  copyButton,
  nameAddress,
  tokenLink,
  transactionLink,
} from "../parts/links.js";
import { load } from "../parts/load.js";
import { facts, section } from "../parts/table.js";
import { attempt, call } from "../rpc.js";
import { readToken, type Token } from "../tokens.js";
import { addressHistory, internalTransfers } from "./address-history.js";
import { addressTokens } from "./address-tokens.js";
import { contractPanel } from "./contract.js";
import { contractEvents } from "./contract-events.js";

const TABS = [
  ["", "Transactions"],
  ["internal", "Internal transfers"],
  ["tokens", "Tokens"],
  ["contract", "Contract"],
  ["events", "Events"],
] as const;

/** An account or a contract. */
export async function addressView(context: ViewContext): Promise<View> {
  const [given = "", tab = ""] = context.path;
  const address = given.toLowerCase();
  if (!/^0x[0-9a-f]{40}$/.test(address)) {
    return {
      title: "Address",
      content: [h("p", {}, `${given} is not an address: expected 20 bytes in hex.`)],
    };
  }
  const [balance, nonce, code] = await Promise.all([
    call<string>("eth_getBalance", [address, "latest"]),
    call<string>("eth_getTransactionCount", [address, "latest"]),
    call<string>("eth_getCode", [address, "latest"]),
  ]);
  const isContract = code !== "0x";
  const artifact = isContract ? findArtifact(code) : undefined;
  const token = isContract ? await readToken(address) : undefined;
  if (artifact !== undefined) nameAddress(address, artifact.name);
  return {
    title: isContract ? "Contract" : "Account",
    content: [
      facts([
        ["Address", [h("code", { class: "whole" }, address), " ", copyButton(address)]],
        ["Balance", formatEther(balance)],
        ["Nonce", formatNumber(toBig(nonce))],
        artifact !== undefined && ["Name", h("bdi", {}, artifact.name)],
        token !== undefined && ["Token", tokenText(token)],
        isContract && ["Code", codeText(code)],
        isContract && ["Created", load(() => creation(address), "…")],
      ]),
      tabs(address, tab, isContract),
      tabContent(context, { address, tab, code }),
    ],
  };
}

function tabs(address: string, current: string, isContract: boolean): HTMLElement {
  const shown = TABS.filter(([name]) => isContract || (name !== "contract" && name !== "events"));
  return h(
    "div",
    { class: "tabs", role: "group", "aria-label": "Parts of this address" },
    ...shown.map(([name, title]) => {
      const anchor = link(name === "" ? `address/${address}` : `address/${address}/${name}`, title);
      if (name === current) anchor.setAttribute("aria-current", "true");
      return anchor;
    }),
  );
}

function tabContent(
  context: ViewContext,
  { address, tab, code }: { readonly address: string; readonly tab: string; readonly code: string },
): HTMLElement {
  switch (tab) {
    case "internal":
      return section(
        "Internal transfers",
        load(() => internalTransfers(address, context.query)),
      );
    case "tokens":
      return section("Tokens", addressTokens(address));
    case "contract":
      return section("Contract", contractPanel(address, code));
    case "events":
      return section("Events", contractEvents(context, address));
    default:
      return section(
        "Transactions",
        load(() => addressHistory(address, context.query)),
      );
  }
}

function tokenText(token: Token): Child {
  return [
    tokenLink(token.address, token.symbol),
    ` ${token.kind} `,
    h("bdi", {}, token.name ?? ""),
  ];
}

/** A delegation (EIP-7702) is the address of the code that runs. */
function codeText(code: string): Child {
  const delegate = /^0xef0100([0-9a-f]{40})$/.exec(code)?.[1];
  if (delegate !== undefined) return ["delegates to ", addressLink(`0x${delegate}`, true)];
  const bytes = `${formatNumber((code.length - 2) / 2)} bytes`;
  return h("details", {}, h("summary", {}, bytes), h("pre", { tabindex: 0 }, code));
}

async function creation(address: string): Promise<Child> {
  const found = await call<{ readonly hash: string; readonly creator: string } | null>(
    "ots_getContractCreator",
    [address],
  );
  if (found === null) return "in the genesis file";
  const receipt = await attempt<{ readonly blockNumber: string }>("eth_getTransactionReceipt", [
    found.hash,
  ]);
  const block = receipt === undefined ? undefined : toNumber(receipt.blockNumber);
  return [
    "by ",
    addressLink(found.creator, true),
    " in ",
    transactionLink(found.hash),
    block !== undefined && [", block ", link(`block/${block}`, formatNumber(block))],
  ];
}
