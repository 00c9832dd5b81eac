import { option } from "@plinth/core";
import { accessFlags } from "@plinth/plugin-cmd-status/api";

/** Which node to query. */
export const nodeFlags = { ...accessFlags, url: { ...accessFlags.url, aliases: ["rpc"] } };

/** How a receipt is requested and printed. */
export const receiptFlags = {
  wait: option.flag({ summary: "Waits for the receipt." }),
  timeout: option.integer({
    summary: "Maximum number of seconds to wait for it.",
    default: 60,
    min: 1,
  }),
  json: option.flag({
    summary: "Prints the receipt as returned by the node, in one line of JSON.",
  }),
};

/** The deadline, in milliseconds since 1970. */
export function endOfWait({ wait, timeout }: { wait: boolean; timeout: number }): number {
  return wait ? Date.now() + timeout * 1000 : 0;
}
