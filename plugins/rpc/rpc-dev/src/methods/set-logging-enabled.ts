import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** Logger that shows blocks and transactions. */
const CONSOLE = "dev-console";

/** `hardhat_setLoggingEnabled`: whether blocks and transactions are shown on the terminal. */
export const setLoggingEnabled = (holder: DevHolder) =>
  method({
    summary: "Sets whether blocks and transactions are shown on the terminal.",
    params: { enabled: t.boolean },
    result: t.boolean,
    example: { params: [false], result: true },
    handle({ enabled }) {
      holder.current.logs.setLevel(enabled ? "info" : "off", CONSOLE);
      return true;
    },
  });
