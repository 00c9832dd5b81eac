import { ConfigError } from "@plinth/core";

/** Throws if the address of a manager is invalid. */
export function verifyUrl(value: string): void {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return;
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--privacy-url': '${value}', expected a URL such as http://localhost:8888`,
    option: "privacy-url",
    value,
  });
}
