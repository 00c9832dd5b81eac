import { decodeLog } from "../abi/book.js";
import type { ViewContext } from "../context.js";
import { button, h } from "../dom.js";
import { blockLink, transactionLink } from "../parts/links.js";
import { logPages } from "../parts/log-pages.js";
import { columns, table } from "../parts/table.js";
import { valueText } from "../parts/values.js";
import { attempt } from "../rpc.js";
import { shorten } from "../text.js";
import type { Log } from "../types.js";

/** The events of a contract, newest first; new ones are announced as they come. */
export function contractEvents(context: ViewContext, address: string): HTMLElement {
  const place = h("div", {});
  const announce = h("p", { role: "status" });
  const read = () => {
    announce.replaceChildren();
    place.replaceChildren(logPages([{ address, topics: [] }], eventTable));
  };
  context.onHead(async ({ hash }) => {
    const logs = await attempt<readonly Log[]>("eth_getLogs", [{ blockHash: hash, address }]);
    if (logs === undefined || logs.length === 0 || context.signal.aborted) return;
    announce.replaceChildren(button("New events: show them", read));
  });
  read();
  return h("div", {}, announce, place);
}

function eventTable(logs: readonly Log[]): HTMLElement {
  return table({
    name: "Events",
    columns: columns("Transaction", "Block#", "Event", "Values"),
    rows: logs.map((log) => {
      const decoded = decodeLog(log);
      return [
        transactionLink(log.transactionHash),
        blockLink(log.blockNumber),
        h("strong", {}, decoded?.entry.name ?? shorten(log.topics[0] ?? "anonymous")),
        h(
          "div",
          { class: "cell" },
          decoded === undefined
            ? h("code", {}, shorten(log.data, 34, 8))
            : decoded.values.map((value) =>
                h(
                  "p",
                  {},
                  h("span", { class: "dim" }, h("bdi", {}, value.name), " "),
                  valueText(value),
                ),
              ),
        ),
      ];
    }),
    empty: "No events in these blocks.",
  });
}
