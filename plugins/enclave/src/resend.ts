import { command, option, PlinthError } from "@plinth/core";
import type { ResendOutcome } from "@plinth/kit-enclave";
import { askManager } from "./ask-manager.js";
import { RESEND_PATH } from "./resend-route.js";

/** `enclave resend`: gets back what a manager has lost. */
export const resend = command({
  id: "enclave resend",
  summary:
    "Asks all other managers to send the payloads of this one again, after its database was lost.",
  examples: ["plinth enclave resend", "plinth enclave resend --url=http://127.0.0.1:9102"],
  flags: {
    url: option.text({
      summary: "Where the manager serves its node.",
      default: "http://127.0.0.1:9101",
    }),
  },
  async run({ flags: { url }, io, signal }) {
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, body: "{}", signal };
    const outcomes = (await askManager(new URL(RESEND_PATH, url), request)) as ResendOutcome[];
    for (const outcome of outcomes) {
      await io.write(`${outcome.url}: ${outcome.problem ?? "has sent all again"}`);
    }
    if (outcomes.length === 0) await io.write("No other managers are known.");
    const failed = outcomes.filter(({ problem }) => problem !== undefined);
    if (failed.length === 0) return;
    throw new PlinthError("RESEND_INCOMPLETE", {
      message: `${failed.length} of ${outcomes.length} managers have not sent all; run the command again when they can be reached`,
    });
  },
});
