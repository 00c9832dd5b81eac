import { definePlugin, option, unavailable } from "@plinth/core";
import { keygen } from "./commands/keygen.js";
import { migrateTessera } from "./commands/migrate-tessera.js";
import { resend } from "./commands/resend.js";
import { run } from "./commands/run.js";
import { status } from "./commands/status.js";
import { declareMetrics } from "./metrics.js";
import { RunningEnclave } from "./open/running-enclave.js";
import { enclave } from "./service.js";

export default definePlugin({
  name: "enclave",
  provides: [enclave],
  options: {
    enclaveConfigFile: option.path({
      summary: "Configuration file of a private transaction manager embedded in this node.",
    }),
  },
  setup({ cli, config, metrics, onStart, onStop, services }) {
    cli.command(run);
    cli.command(keygen);
    cli.command(status);
    cli.command(resend);
    cli.command(migrateTessera);
    const { enclaveConfigFile: configFile } = config;
    const running = new RunningEnclave();
    services.provide(enclave, () =>
      configFile === undefined ? unavailable("--enclave-config-file is not set") : running,
    );
    if (configFile === undefined) return;
    const { requests } = declareMetrics(metrics, () => running.figures());
    onStart((runtime) =>
      running.open(configFile, runtime, (path, status) =>
        requests.increment(1, { path, status: String(status) }),
      ),
    );
    onStop(() => running.close());
  },
});
