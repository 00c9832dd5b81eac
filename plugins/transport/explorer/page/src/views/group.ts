import { decodeLog } from "../abi/book.js";
import type { View, ViewContext } from "../context.js";
import { type Child, h } from "../dom.js";
import { toNumber } from "../format.js";
import { addressLink, badge, blockLink, hexText, transactionLink } from "../parts/links.js";
import { load } from "../parts/load.js";
import { columns, facts, section, table } from "../parts/table.js";
import { call } from "../rpc.js";
import { shorten } from "../text.js";
import type { Log } from "../types.js";

/** A group as `plinth_verifyPrivacy` returns it. */
export interface GroupCheck {
  readonly privacyGroupId: string;
  readonly to: string;
  readonly members: readonly {
    readonly key: string;
    readonly state: string;
    readonly problem?: string;
    readonly difference?: {
      readonly block: string;
      readonly own?: { readonly root: string };
      readonly theirs?: { readonly root: string };
      readonly advice: string;
    };
  }[];
}

const MAX_LOGS = 200;

/** A privacy group: members, the state root, private logs. */
export function groupView({ path }: ViewContext): View {
  const [id = ""] = path;
  return {
    title: "Private group",
    content: [
      facts([
        ["Group", h("code", { class: "whole" }, id)],
        [
          "State root",
          load(
            async () =>
              h(
                "code",
                { class: "whole" },
                await call<string>("priv_debugGetStateRoot", [id, "latest"]),
              ),
            "…",
          ),
        ],
      ]),
      section(
        "Other members, and whether their states are equal",
        load(() => members(id), "Asking the members…"),
      ),
      section(
        "Private logs",
        load(() => privateLogs(id)),
      ),
    ],
  };
}

/** The members of a group, and how their states compare with that of this node. */
export function memberTable({ members }: GroupCheck): HTMLElement {
  return table({
    name: "Members",
    columns: columns("Key", "State", "First difference", "Root here", "Root there", "What to do"),
    rows: members.map(({ key, state, problem, difference }) => [
      h("code", { "data-full": key, title: key }, shorten(key, 16, 4)),
      badge(state, state === "equal" ? "good" : state === "different" ? "bad" : "wait"),
      difference === undefined ? "" : blockLink(difference.block),
      difference?.own === undefined ? "" : hexText(difference.own.root),
      difference?.theirs === undefined ? "" : hexText(difference.theirs.root),
      h("div", { class: "cell wide" }, difference?.advice ?? problem ?? ""),
    ]),
    empty: "None.",
  });
}

async function members(id: string): Promise<Child> {
  const { groups } = await call<{ readonly groups: readonly GroupCheck[] }>(
    "plinth_verifyPrivacy",
    [id],
  );
  const [group] = groups;
  if (group === undefined) return h("p", { class: "dim" }, "This node is not in the group.");
  return [
    h("p", { class: "dim" }, `Compared up to block ${toNumber(group.to)}.`),
    memberTable(group),
  ];
}

async function privateLogs(id: string): Promise<Child> {
  const logs = await call<readonly Log[]>("priv_getLogs", [id, {}]);
  return table({
    name: "Private logs",
    columns: columns("Marker", "Block#", "Contract", "Event", "Data"),
    rows: logs
      .slice(-MAX_LOGS)
      .toReversed()
      .map((log) => [
        transactionLink(log.transactionHash),
        blockLink(log.blockNumber),
        addressLink(log.address),
        decodeLog(log)?.entry.signature ?? shorten(log.topics[0] ?? "anonymous"),
        hexText(log.data, 34),
      ]),
    empty: "No private logs.",
  });
}
