import { definePlugin } from "@plinth/core";
import { tessera } from "./api.js";
import { options } from "./options.js";
import type { TesseraLink } from "./tessera-link.js";
import { verifyUrl } from "./verify-url.js";

export default definePlugin({
  name: "enclave-tessera",
  activation: {},
  provides: [tessera],
  options,
  setup({ config, services, onStop }) {
    let link: TesseraLink | undefined;
    services.provide(tessera, ({ log }) => ({
      async open() {
        verifyUrl(config.privacyUrl);
        // Most nodes have no private transactions and never load this module.
        const [{ TesseraLink }, { openManagerTls }] = await Promise.all([
          import("./tessera-link.js"),
          import("./manager-tls.js"),
        ]);
        const tls = config.privacyTlsEnabled
          ? await openManagerTls({
              keystoreFile: config.privacyTlsKeystoreFile,
              keystorePasswordFile: config.privacyTlsKeystorePasswordFile,
              knownEnclaveFile: config.privacyTlsKnownEnclaveFile,
            })
          : undefined;
        link = new TesseraLink(config.privacyUrl, log, tls);
        return link;
      },
    }));
    onStop(() => link?.close());
  },
});
