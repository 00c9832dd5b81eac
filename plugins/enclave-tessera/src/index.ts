import { ConfigError, definePlugin } from "@plinth/core";
import { tessera } from "./api.js";
import { openManagerTls } from "./manager-tls.js";
import { options } from "./options.js";
import { TesseraLink } from "./tessera-link.js";

export default definePlugin({
  name: "enclave-tessera",
  provides: [tessera],
  options,
  setup({ config, services, onStop }) {
    let link: TesseraLink | undefined;
    services.provide(tessera, () => ({
      async open() {
        verifyUrl(config.privacyUrl);
        const tls = config.privacyTlsEnabled
          ? await openManagerTls({
              keystoreFile: config.privacyTlsKeystoreFile,
              keystorePasswordFile: config.privacyTlsKeystorePasswordFile,
              knownEnclaveFile: config.privacyTlsKnownEnclaveFile,
            })
          : undefined;
        link = new TesseraLink(config.privacyUrl, tls);
        return link;
      },
    }));
    onStop(() => link?.close());
  },
});

function verifyUrl(value: string): void {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return;
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--privacy-url': '${value}', expected a URL such as http://localhost:8888`,
    option: "privacy-url",
    value,
  });
}
