import { option } from "@plinth/core";

/** Address of the manager, and how it is authenticated. */
export const options = {
  privacyUrl: option.text({
    summary: "URL of the private transaction manager for its node, with the port.",
    default: "http://localhost:8888",
    needs: "privacyEnabled",
  }),
  privacyTlsEnabled: option.flag({
    summary: "Connects to the private transaction manager over TLS.",
    needs: "privacyEnabled",
  }),
  privacyTlsKeystoreFile: option.path({
    summary: "PKCS#12 file with the client key and certificate for the manager.",
    needs: "privacyTlsEnabled",
  }),
  privacyTlsKeystorePasswordFile: option.path({
    summary: "File whose first line is the password of the key store.",
    needs: "privacyTlsEnabled",
  }),
  privacyTlsKnownEnclaveFile: option.path({
    summary: "Trusted managers: lines of host:port and SHA-256 fingerprint.",
    needs: "privacyTlsEnabled",
  }),
} as const;
