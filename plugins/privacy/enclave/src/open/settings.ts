import { option, optionKinds } from "@plinth/core";

/** Settings in the configuration file of a manager, by key. */
export const settings = {
  url: option.text({
    summary: "URL at which other managers reach this one, such as http://127.0.0.1:9001/.",
  }),
  peerHost: option.text({
    summary: "Address to listen on for other managers.",
    default: "127.0.0.1",
  }),
  peerPort: option.port({ summary: "Port to listen on for other managers.", default: 9001 }),
  nodeHost: option.text({
    summary: "Address to listen on for the node; anyone who reaches it can read private data.",
    default: "127.0.0.1",
  }),
  nodeHostAllowlist: option.list({
    summary:
      "Host names accepted from the node besides addresses and localhost, such as that of a container; * allows any.",
    of: optionKinds.text(),
  }),
  nodePort: option.port({ summary: "Port to listen on for the node.", default: 9101 }),
  dataPath: option.path({ summary: "Folder of the manager's data; enclave-data by default." }),
  keyFiles: option.list({
    summary: "Private key files in Tessera's format; the first one is the default key.",
    of: optionKinds.path(),
  }),
  passwordFile: option.path({
    summary: "File with one password per line, in the order of the key files.",
  }),
  peers: option.list({
    summary: "Other managers to call at start.",
    of: optionKinds.text(),
  }),
  alwaysSendTo: option.list({
    summary: "Public keys that receive every payload.",
    of: optionKinds.text(),
  }),
  maxPayloadSize: option.integer({
    summary: "Maximum bytes of a payload; larger ones are rejected.",
    default: 10 * 1024 * 1024,
    min: 1,
    max: 256 * 1024 * 1024,
  }),
  redelivery: option.flag({
    summary:
      "Queues payloads for unreachable recipients and delivers them later; without it such a send fails.",
    default: false,
  }),
  remoteKeyValidation: option.flag({
    summary: "Trusts the keys of another manager only after it has decrypted a challenge for them.",
    default: true,
  }),
  tlsKeyFile: option.path({ summary: "Private key (PEM) for TLS between managers." }),
  tlsCertificateFile: option.path({ summary: "Certificate (PEM) for TLS between managers." }),
  tlsTrust: option.oneOf(["ca", "whitelist", "tofu"], {
    summary:
      "Which managers are trusted: those with a certificate of an authority, those in the files of known managers, or additionally those seen for the first time.",
    default: "ca",
  }),
  tlsCaFile: option.path({
    summary: "Certificates of authorities (PEM); the system's by default.",
  }),
  tlsKnownServersFile: option.path({
    summary:
      "Managers that this one calls, as lines of host:port and SHA-256 fingerprint; known-servers by default.",
  }),
  tlsKnownClientsFile: option.path({
    summary:
      "Managers that call this one, as lines of common name and SHA-256 fingerprint; known-clients by default.",
  }),
  peerAllowlist: option.flag({
    summary: "Serves only managers that call from the address of one of the peers.",
    default: false,
  }),
  peerDiscovery: option.flag({
    summary: "Accepts managers that are not among the peers as well.",
    default: true,
  }),
} as const;
