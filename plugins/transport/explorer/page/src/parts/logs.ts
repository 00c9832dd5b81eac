import { decodeLog } from "../abi/book.js";
import { h } from "../dom.js";
import { toNumber } from "../format.js";
import type { Log } from "../types.js";
import { addressLink } from "./links.js";
import { decodedText } from "./values.js";

const MAX_LOGS = 200;

/** Logs, decoded as far as their events are known. */
export function logList(logs: readonly Log[]): HTMLElement {
  if (logs.length === 0) return h("p", { class: "dim" }, "No logs.");
  const items = logs.slice(0, MAX_LOGS).map((log) => {
    const decoded = decodeLog(log);
    return h(
      "li",
      {},
      h("p", { class: "dim" }, `Log ${toNumber(log.logIndex)} of `, addressLink(log.address, true)),
      decoded !== undefined && decodedText(decoded),
      h(
        "details",
        { open: decoded === undefined },
        h("summary", {}, "Topics and data"),
        h(
          "ol",
          { start: 0, class: "topics" },
          ...log.topics.map((topic) => h("li", {}, h("code", { class: "whole" }, topic))),
        ),
        h("p", {}, h("code", { class: "whole" }, log.data)),
      ),
    );
  });
  const rest = logs.length - items.length;
  return h(
    "div",
    {},
    h("ul", { class: "logs plain" }, ...items),
    rest > 0 && h("p", { class: "dim" }, `… ${rest} more logs`),
  );
}
