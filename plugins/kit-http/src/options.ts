import { option, optionKinds } from "@plinth/core";

/** The namespaces a listener offers when the operator names none. */
export const DEFAULT_APIS: readonly string[] = ["ETH", "NET", "WEB3"];

/** Shared by every HTTP listener: which names clients may reach it by. */
export const hostAllowlist = option.list({
  summary: "Host names that clients may use; * or all for any, none for none.",
  of: optionKinds.text(),
  default: ["localhost", "127.0.0.1"],
  aliases: ["hostWhitelist"],
});
