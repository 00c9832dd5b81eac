import { option, optionKinds } from "@plinth/core";

/** What the configuration file of a manager says, by the names of its keys. */
export const settings = {
  url: option.text({
    summary: "Where other managers reach this one, such as http://127.0.0.1:9001/.",
  }),
  peerHost: option.text({
    summary: "Address on which other managers are served.",
    default: "127.0.0.1",
  }),
  peerPort: option.port({ summary: "Port on which other managers are served.", default: 9001 }),
  nodeHost: option.text({
    summary: "Address on which the node is served; anyone who reaches it can read what is private.",
    default: "127.0.0.1",
  }),
  nodeHostAllowlist: option.list({
    summary:
      "Names by which the node may call, beside addresses and localhost, such as that of a container; * allows any.",
    of: optionKinds.text(),
  }),
  nodePort: option.port({ summary: "Port on which the node is served.", default: 9101 }),
  dataPath: option.path({ summary: "Folder of the manager's data; enclave-data when left out." }),
  keyFiles: option.list({
    summary: "Private key files, as Tessera has them; the first is used where none is named.",
    of: optionKinds.path(),
  }),
  passwordFile: option.path({ summary: "A password on each line, in the order of the key files." }),
  peers: option.list({
    summary: "Other managers that are called at first.",
    of: optionKinds.text(),
  }),
  alwaysSendTo: option.list({
    summary: "Public keys that get every payload.",
    of: optionKinds.text(),
  }),
  maxPayloadSize: option.integer({
    summary: "Bytes of a payload; a larger one is refused.",
    default: 10 * 1024 * 1024,
    min: 1,
    max: 256 * 1024 * 1024,
  }),
  redelivery: option.flag({
    summary:
      "Keeps what a recipient does not take and delivers it later; without it such a send fails.",
    default: false,
  }),
  remoteKeyValidation: option.flag({
    summary:
      "Believes the keys of another manager once it has opened something encrypted for them.",
    default: true,
  }),
  tlsKeyFile: option.path({ summary: "Private key (PEM) for TLS between managers." }),
  tlsCertificateFile: option.path({ summary: "Certificate (PEM) for TLS between managers." }),
  tlsTrust: option.oneOf(["ca", "whitelist", "tofu"], {
    summary:
      "Which managers are trusted: those with a certificate of an authority, those in the files of known ones, or, beside these, those that are seen for the first time.",
    default: "ca",
  }),
  tlsCaFile: option.path({
    summary: "Certificates of authorities (PEM); those of the system when left out.",
  }),
  tlsKnownServersFile: option.path({
    summary:
      "Managers that are called, as lines of host:port and SHA-256 fingerprint; known-servers when left out.",
  }),
  tlsKnownClientsFile: option.path({
    summary:
      "Managers that call, as lines of common name and SHA-256 fingerprint; known-clients when left out.",
  }),
  peerAllowlist: option.flag({
    summary: "Serves only managers that call from the address of one of the peers.",
    default: false,
  }),
  peerDiscovery: option.flag({
    summary: "Takes managers that are not among the peers as well.",
    default: true,
  }),
} as const;
