import { type CommandIo, ConfigError, command, option } from "@plinth/core";
import { hashPassword } from "@plinth/core/primitives";

/** The cost in existing users files: each step doubles the time. */
const COST = 10;

const flags = {
  password: option.text({
    summary:
      "The password, of at most 72 bytes; visible to other users of the machine. By default it is prompted for, or read from standard input.",
  }),
  passwordFile: option.path({ summary: "File whose first line is the password." }),
};

/** `password hash`: a password → its bcrypt hash. */
export const passwordHash = command({
  id: "password hash",
  summary: "Prints the bcrypt hash of a password, for users files.",
  examples: [
    "plinth password hash",
    "plinth password hash --password-file=password.txt",
    "plinth password hash --password=secret",
  ],
  flags,
  uses: {},
  async run({ flags: { password: given, passwordFile }, io }) {
    if (given !== undefined && passwordFile !== undefined) {
      throw new ConfigError("OPTION_INVALID", {
        message: "--password and --password-file are mutually exclusive",
        option: "password-file",
      });
    }
    const password = given ?? (await readPassword(io, passwordFile));
    const bytes = Buffer.byteLength(password);
    if (bytes === 0 || bytes > 72) {
      throw new ConfigError("OPTION_INVALID", {
        message: `Invalid value for option '--password': ${bytes} bytes; expected 1 to 72, the limit of bcrypt`,
        option: "password",
      });
    }
    await io.write(await hashPassword(password, COST));
  },
});

/** From a file, from a terminal, twice, or from standard input. */
async function readPassword(io: CommandIo, file: string | undefined): Promise<string> {
  if (file !== undefined || io.askSecret === undefined) return firstLine(await io.read(file));
  const password = await io.askSecret("Password: ");
  if ((await io.askSecret("Again: ")) === password) return password;
  throw new ConfigError("OPTION_INVALID", {
    message: "the passwords differ; nothing was printed",
    option: "password",
  });
}

function firstLine(text: string): string {
  return text.split(/\r?\n/)[0] ?? "";
}
