import { definePlugin, option, unavailable } from "@plinth/core";
import { enclave } from "./api.js";
import { keygen } from "./keygen.js";
import { migrateTessera } from "./migrate-tessera.js";
import { readSettings } from "./read-settings.js";
import { run } from "./run.js";
import { status } from "./status.js";

export default definePlugin({
  name: "enclave",
  provides: [enclave],
  options: {
    enclaveConfigFile: option.path({
      summary: "Configuration of a private transaction manager that runs inside this node.",
    }),
  },
  setup({ cli, config, onStop, services }) {
    cli.command(run);
    cli.command(keygen);
    cli.command(status);
    cli.command(migrateTessera);
    const { enclaveConfigFile } = config;
    let close: (() => Promise<void>) | undefined;
    services.provide(enclave, async ({ clock, log, openStore }) => {
      if (enclaveConfigFile === undefined) return unavailable("--enclave-config-file is not given");
      const settings = await readSettings(enclaveConfigFile);
      const store = await openStore("enclave");
      const { openEnclave } = await import("./open-enclave.js");
      const opened = await openEnclave(settings, { store, clock, log });
      close = async () => {
        await opened.close();
        await store.close();
      };
      return opened.manager;
    });
    onStop(async () => {
      await close?.();
    });
  },
});
