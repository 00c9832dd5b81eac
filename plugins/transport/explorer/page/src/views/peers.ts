import { type Child, h } from "../dom.js";
import { toNumber } from "../format.js";
import { problem } from "../parts/problem.js";
import { columns, table } from "../parts/table.js";
import { attempt, CallError, call } from "../rpc.js";
import { shorten } from "../text.js";

/** A peer as `admin_peers` returns it. */
interface Peer {
  readonly id?: string;
  readonly name?: string;
  readonly enode?: string;
  readonly caps?: readonly string[];
  readonly network?: { readonly remoteAddress?: string; readonly inbound?: boolean };
  readonly protocols?: { readonly eth?: { readonly version?: number; readonly head?: string } };
}

const LISTS = [
  ["perm_getNodesAllowlist", "Nodes that may connect"],
  ["perm_getAccountsAllowlist", "Accounts that may send transactions"],
] as const;

/** The connected peers; only their number if the caller may read no more. */
export async function peerTable(): Promise<Child> {
  try {
    return table({
      name: "Peers",
      columns: columns("Program", "Address", "Direction", "Protocols", "Node id"),
      rows: (await call<readonly Peer[]>("admin_peers")).map(
        ({ id, name, caps, network, enode }) => [
          h("bdi", {}, shorten(name ?? "unknown", 60, 4)),
          network?.remoteAddress ?? "",
          network?.inbound === true ? "inbound" : "outbound",
          (caps ?? []).join(", "),
          h("code", { title: enode ?? id, "data-full": enode ?? id }, shorten(id ?? "", 14, 6)),
        ],
      ),
      empty: "No peers are connected.",
    });
  } catch (error) {
    const number = await attempt<string>("net_peerCount");
    return [number !== undefined && h("p", {}, `${toNumber(number)} connected.`), problem(error)];
  }
}

/** The lists of nodes and accounts that are permitted. */
export async function permissionLists(): Promise<Child> {
  const found = await Promise.allSettled(LISTS.map(([method]) => call<readonly string[]>(method)));
  const [first, second] = found.map((each) =>
    each.status === "rejected" ? each.reason : undefined,
  );
  // Without the namespace both fail for one reason.
  const isMissing = first instanceof CallError && first.isMissing && second !== undefined;
  if (isMissing) return problem(first);
  return found.map((each, index) => {
    const title = LISTS[index]?.[1] ?? "";
    return [
      h("h3", {}, title),
      each.status === "rejected" ? problem(each.reason) : entryTable(title, each.value),
    ];
  });
}

function entryTable(title: string, entries: readonly string[]): HTMLElement {
  return table({
    name: title,
    columns: columns("Entry"),
    rows: entries.map((entry) => [h("code", { class: "whole" }, entry)]),
    empty: "The list is empty.",
  });
}
