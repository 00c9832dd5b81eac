import { command, option, PlinthError } from "@plinth/core";
import type { Resent } from "../manager.js";
import { RESEND_PATH } from "../routes/resend-route.js";
import { askManager } from "./ask-manager.js";

/** Message about returned payloads that cannot be decrypted. */
export function describeAside(count: number): string {
  const what = count === 1 ? "1 payload has" : `${count} payloads have`;
  return `${what} returned that cannot be decrypted: other members have not sent their parts, or its group is not known yet. "plinth enclave status" lists unknown groups.`;
}

/** `enclave resend`: recovers what a manager has lost. */
export const resend = command({
  id: "enclave resend",
  summary:
    "Asks all other managers to resend the payloads of this one, after its database was lost.",
  examples: ["plinth enclave resend", "plinth enclave resend --url=http://127.0.0.1:9102"],
  flags: {
    url: option.text({
      summary: "URL at which the manager serves its node.",
      default: "http://127.0.0.1:9101",
    }),
  },
  uses: {},
  async run({ flags: { url }, io, signal }) {
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, body: "{}", signal };
    const { managers, aside } = (await askManager(new URL(RESEND_PATH, url), request)) as Resent;
    for (const manager of managers) {
      await io.write(`${manager.url}: ${manager.problem ?? "has sent all again"}`);
    }
    if (managers.length === 0) await io.write("No other managers are known.");
    if (aside > 0) await io.write(describeAside(aside));
    const failed = managers.filter(({ problem }) => problem !== undefined);
    if (failed.length === 0) return;
    throw new PlinthError("RESEND_INCOMPLETE", {
      message: `${failed.length} of ${managers.length} managers have not sent everything; run the command again once they are reachable`,
    });
  },
});
