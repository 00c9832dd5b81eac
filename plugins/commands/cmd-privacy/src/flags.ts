import { option } from "@plinth/core";
import { accessFlags } from "@plinth/plugin-cmd-status/api";

/** Which node is asked. */
export const nodeFlags = { ...accessFlags, url: { ...accessFlags.url, aliases: ["rpc"] } };

/** How a receipt is asked for and written. */
export const receiptFlags = {
  wait: option.flag({ summary: "Waits for the receipt." }),
  timeout: option.integer({
    summary: "How many seconds to wait for it, at most.",
    default: 60,
    min: 1,
  }),
  json: option.flag({ summary: "Writes the receipt as the node returns it, in one line of JSON." }),
};

/** When the wait is over, in milliseconds since 1970. */
export function endOfWait({ wait, timeout }: { wait: boolean; timeout: number }): number {
  return wait ? Date.now() + timeout * 1000 : 0;
}
