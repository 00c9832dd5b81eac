import { button, type Child, fill, h } from "../dom.js";
import { formatNumber, toNumber } from "../format.js";
import { type LogFilter, LogWindows } from "../log-windows.js";
import { call } from "../rpc.js";
import type { Log } from "../types.js";
import { problem } from "./problem.js";

/** More logs are not shown at once. */
const MAX_LOGS = 500;

/** Logs from the head backwards, with a button that reads further. */
export function logPages(
  filters: readonly LogFilter[],
  show: (logs: readonly Log[]) => Child | Promise<Child>,
): HTMLElement {
  const content = h("div", { "aria-busy": "true" }, h("p", { class: "dim" }, "Loading…"));
  const note = h("p", { class: "dim" });
  const place = h("div", {}, content, note);
  let windows: LogWindows | undefined;
  let logs: readonly Log[] = [];
  const more = button("Look further back", () => void read(), { hidden: true });
  place.append(more);
  const read = async () => {
    more.disabled = true;
    try {
      windows ??= new LogWindows(filters, toNumber(await call<string>("eth_blockNumber")));
      logs = [...logs, ...(await windows.read())];
      fill(content, await show(logs.slice(0, MAX_LOGS)));
      const from = formatNumber(windows.from);
      const rest =
        logs.length > MAX_LOGS ? `; the latest ${MAX_LOGS} of ${logs.length} are shown` : "";
      fill(
        note,
        windows.isComplete
          ? `All blocks were searched${rest}.`
          : `Blocks from ${from} on were searched${rest}.`,
      );
      more.hidden = windows.isComplete;
    } catch (error) {
      fill(content, problem(error));
    } finally {
      content.removeAttribute("aria-busy");
      more.disabled = false;
    }
  };
  void read();
  return place;
}
