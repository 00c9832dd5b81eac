import { option } from "@plinth/core";

/** Where the manager is, and how it is recognised. */
export const options = {
  privacyUrl: option.text({
    summary: "Where the private transaction manager serves its node, with the port.",
    default: "http://localhost:8888",
    needs: "privacyEnabled",
  }),
  privacyTlsEnabled: option.flag({
    summary: "Connects with the private transaction manager over TLS.",
    needs: "privacyEnabled",
  }),
  privacyTlsKeystoreFile: option.path({
    summary: "PKCS#12 file with the key and the certificate that the manager is shown.",
    needs: "privacyTlsEnabled",
  }),
  privacyTlsKeystorePasswordFile: option.path({
    summary: "File whose first line is the password of the key store.",
    needs: "privacyTlsEnabled",
  }),
  privacyTlsKnownEnclaveFile: option.path({
    summary: "Managers that are trusted: lines of host:port and SHA-256 fingerprint.",
    needs: "privacyTlsEnabled",
  }),
} as const;
