import { ConfigError, command, option } from "@plinth/core";
import { hashPassword } from "@plinth/core/primitives";

/** What existing files of users have: each step up doubles the time. */
const COST = 10;

/** `password hash`: a password → its bcrypt hash. */
export const passwordHash = command({
  id: "password hash",
  summary: "Prints the bcrypt hash of a password, as files of users have it.",
  examples: ["plinth password hash --password=secret"],
  flags: { password: option.text({ summary: "The password, of at most 72 bytes." }) },
  uses: {},
  async run({ flags: { password }, io }) {
    if (password === undefined) {
      throw new ConfigError("OPTION_MISSING", {
        message: "Missing required option: '--password=<PASSWORD>'",
        option: "password",
      });
    }
    const bytes = Buffer.byteLength(password);
    if (bytes === 0 || bytes > 72) {
      throw new ConfigError("OPTION_INVALID", {
        message: `Invalid value for option '--password': ${bytes} bytes; expected 1 to 72, which is what bcrypt reads`,
        option: "password",
      });
    }
    await io.write(await hashPassword(password, COST));
  },
});
