import type { View } from "../context.js";
import { button, type Child, fill, h } from "../dom.js";
import { formatDuration, formatNumber, toNumber } from "../format.js";
import { badge, blockLink, groupLink, transactionLink } from "../parts/links.js";
import { load } from "../parts/load.js";
import { columns, facts, section, table } from "../parts/table.js";
import { attempt, CallError, call } from "../rpc.js";
import type { Transaction } from "../types.js";
import { type GroupCheck, memberTable } from "./group.js";
import type { PrivateReceipt } from "./private-transaction.js";

/** What `plinth_privacyStatus` returns. */
interface PrivacyStatus {
  readonly head: string;
  readonly delivered: string;
  readonly manager: string;
  readonly publicKey?: string;
  readonly waiting?: { readonly sinceMs: number; readonly block: string; readonly reason: string };
  readonly groups: readonly {
    readonly privacyGroupId: string;
    readonly pending: number;
    readonly held?: { readonly block: string; readonly reason: string };
  }[];
}

const MARKERS = 25;

/** The privacy groups of this node, their members and their private transactions. */
export function groupsView(): View {
  return {
    title: "Private groups",
    content: [
      section("Private execution", load(progress)),
      section("Groups", groupList()),
      section("Latest private transactions", load(latest)),
    ],
  };
}

async function progress(): Promise<Child> {
  const status = await call<PrivacyStatus>("plinth_privacyStatus");
  const behind = toNumber(status.head) - toNumber(status.delivered);
  return [
    facts([
      [
        "Executed up to",
        [
          blockLink(status.delivered),
          behind > 0 ? `, ${formatNumber(behind)} blocks behind the head` : ", the head",
        ],
      ],
      ["Manager", status.manager],
      status.publicKey !== undefined && [
        "Key of this node",
        h("code", { class: "whole" }, status.publicKey),
      ],
      status.waiting !== undefined && [
        "Waits",
        `for ${formatDuration(status.waiting.sinceMs / 1000)} at block ${toNumber(status.waiting.block)}: ${status.waiting.reason}`,
      ],
    ]),
    status.groups.map(({ privacyGroupId, pending, held }) =>
      h(
        "p",
        { class: "notice wait" },
        groupLink(privacyGroupId),
        ` waits with ${pending} transactions`,
        held !== undefined && ` at block ${toNumber(held.block)}: ${held.reason}`,
      ),
    ),
  ];
}

/** Comparing asks the nodes of all members, so it is done on request. */
function groupList(): HTMLElement {
  const place = h("div", {});
  const compare = button("List groups, and compare their states with those of the members", () => {
    fill(place, load(compareAll, "Asking the members…"));
  });
  return h("div", {}, h("p", {}, compare), place);
}

async function compareAll(): Promise<Child> {
  const { groups } = await call<{ readonly groups: readonly GroupCheck[] }>("plinth_verifyPrivacy");
  return groups.length === 0
    ? h("p", { class: "dim" }, "This node is in no group with private transactions.")
    : groups.map((group) =>
        h(
          "div",
          { class: "part" },
          h("p", {}, groupLink(group.privacyGroupId), ` up to block ${toNumber(group.to)}`),
          memberTable(group),
        ),
      );
}

async function latest(): Promise<Child> {
  const precompile = await call<string>("priv_getPrivacyPrecompileAddress");
  const { txs } = await call<{ readonly txs: readonly Transaction[] }>(
    "ots_searchTransactionsBefore",
    [precompile, 0, MARKERS],
  );
  const rows = await Promise.all(txs.map(markerRow));
  return table({
    name: "Latest private transactions",
    columns: columns("Marker", "Block#", "Group", "Outcome"),
    rows,
    empty: "The chain has no private transactions.",
  });
}

async function markerRow({ hash, blockNumber }: Transaction): Promise<readonly Child[]> {
  const receipt = await attempt<PrivateReceipt | null>("priv_getTransactionReceipt", [hash]);
  return [
    transactionLink(hash),
    blockLink(blockNumber),
    receipt ? groupLink(receipt.privacyGroupId) : h("span", { class: "dim" }, "of others"),
    receipt
      ? badge(
          receipt.status === "0x1" ? "success" : "failed",
          receipt.status === "0x1" ? "good" : "bad",
        )
      : "",
  ];
}

/** Whether private groups can be shown: whether a call gets further than that. */
export async function hasGroups(): Promise<boolean> {
  try {
    await call("priv_getPrivacyPrecompileAddress");
    return true;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return error.isUnauthorized;
  }
}
