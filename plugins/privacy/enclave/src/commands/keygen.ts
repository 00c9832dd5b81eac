import { ConfigError, command, option } from "@plinth/core";

/** KiB that Tessera takes to lock a file. */
const USUAL_MEMORY = 1_048_576;

/** `enclave keygen`: makes a pair of key files. */
export const keygen = command({
  id: "enclave keygen",
  summary:
    "Makes a key of a private transaction manager: a file with the private key and one with the public key.",
  examples: [
    "plinth enclave keygen --to=tm",
    "plinth enclave keygen --to=tm --password-file=password.txt",
  ],
  flags: {
    to: option.path({
      summary: "The files are called this, with .key and .pub at the end.",
      default: "tm",
    }),
    passwordFile: option.path({ summary: "A file whose first line locks the private key." }),
    memory: option.integer({
      summary: "KiB of memory that it takes to unlock the key.",
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
