import { definePlugin, option, unavailable } from "@plinth/core";
import { enclave } from "./api.js";
import { keygen } from "./keygen.js";
import { declareMetrics } from "./metrics.js";
import { migrateTessera } from "./migrate-tessera.js";
import { resend } from "./resend.js";
import { run } from "./run.js";
import { RunningEnclave } from "./running-enclave.js";
import { status } from "./status.js";

export default definePlugin({
  name: "enclave",
  provides: [enclave],
  options: {
    enclaveConfigFile: option.path({
      summary: "Configuration of a private transaction manager that runs inside this node.",
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
      configFile === undefined ? unavailable("--enclave-config-file is not given") : running,
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
