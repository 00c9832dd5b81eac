import { ConfigError, command, option } from "@plinth/core";

/** KiB of memory that Tessera uses to lock a file. */
const USUAL_MEMORY = 1_048_576;

/** `enclave keygen`: creates a pair of key files. */
export const keygen = command({
  id: "enclave keygen",
  summary:
    "Creates a key for a private transaction manager: a file with the private key and one with the public key.",
  examples: [
    "plinth enclave keygen --to=tm",
    "plinth enclave keygen --to=tm --password-file=password.txt",
  ],
  flags: {
    to: option.path({
      summary: "Base name of the files, which get the suffixes .key and .pub.",
      default: "tm",
    }),
    passwordFile: option.path({
      summary: "File whose first line is the password that locks the private key.",
    }),
    memory: option.integer({
      summary: "KiB of memory needed to unlock the key.",
      default: USUAL_MEMORY,
      min: 1024,
      max: 4 * USUAL_MEMORY,
    }),
  },
  uses: {},
  async run({ flags: { to, passwordFile, memory }, io }) {
    const text = passwordFile === undefined ? undefined : await io.read(passwordFile);
    const password = text?.split(/\r?\n/)[0];
    if (password === "") {
      throw new ConfigError("OPTION_INVALID", {
        message: `Invalid value for option '--password-file': ${passwordFile} begins with an empty line`,
        option: "password-file",
      });
    }
    const { createKeyFiles } = await import("./create-key-files.js");
    await io.write(
      await createKeyFiles(to, password === undefined ? undefined : { password, memory }),
    );
  },
});
