import { option, optionKinds } from "@plinth/core";
import type { OptionGroup } from "./option-group.js";

const text = optionKinds.text();

/**
 * Options of Besu that are not implemented, or differ here; setting one prevents the start.
 *
 * Only the options that enable a part are rejected: those that need such a switch are reported as
 * ignored while it is off. A group or an option is deleted when a plugin declares it.
 */
export const NOT_BUILT: readonly OptionGroup[] = [
  {
    reason: "trust stores are PEM files here, which have no password",
    options: {
      rpcWsSslTruststorePasswordFile: option.path({ summary: "File with a password." }),
      graphqlTlsTruststorePasswordFile: option.path({ summary: "File with a password." }),
    },
  },
  {
    reason: "TLS between peers is not implemented; connections of peers are encrypted by RLPx",
    options: {
      Xp2pTlsEnabled: option.flag({ summary: "Connects to peers over TLS." }),
      ...Object.fromEntries(
        ["keystore", "truststore"].flatMap((store) =>
          ["Type", "File", "PasswordFile"].map((part) => [
            `Xp2pTls${capitalized(store)}${part}`,
            option.text({ summary: `The ${store} for peers.`, needs: "Xp2pTlsEnabled" }),
          ]),
        ),
      ),
      Xp2pTlsCrlFile: option.path({
        summary: "Revoked certificates of peers.",
        needs: "Xp2pTlsEnabled",
      }),
      Xp2pTlsClienthelloSni: option.flag({
        summary: "Sends the server name.",
        needs: "Xp2pTlsEnabled",
      }),
    },
  },
  {
    reason: "private payloads go to a private transaction manager, not to a plugin",
    options: {
      XprivacyPluginEnabled: option.flag({
        summary: "Lets a plugin handle private payloads.",
        needs: "privacyEnabled",
      }),
    },
  },
  {
    reason: "the engine API is not implemented",
    options: {
      engineRpcEnabled: option.flag({ summary: "Serves the engine API." }),
      engineRpcPort: option.port({
        summary: "Port of the engine API.",
        aliases: ["engineRpcHttpPort"],
        needs: "engineRpcEnabled",
      }),
      engineJwtSecret: option.path({
        summary: "File with the secret of the consensus client.",
        needs: "engineRpcEnabled",
      }),
      engineJwtDisabled: option.flag({
        summary: "Accepts requests without a token.",
        needs: "engineRpcEnabled",
      }),
      engineHostAllowlist: option.list({
        summary: "Host names that the consensus client may use.",
        of: text,
        needs: "engineRpcEnabled",
      }),
    },
  },
  {
    reason: "Stratum is not implemented",
    options: {
      minerStratumEnabled: option.flag({ summary: "Serves work to miners over Stratum." }),
      minerStratumHost: option.host({ summary: "Address.", needs: "minerStratumEnabled" }),
      minerStratumPort: option.port({ summary: "Port.", needs: "minerStratumEnabled" }),
      XminerStratumExtranonce: option.text({ summary: "Nonce.", needs: "minerStratumEnabled" }),
    },
  },
  {
    reason: "only the trusted setup of Ethereum is supported",
    options: { kzgTrustedSetup: option.path({ summary: "File with another trusted setup." }) },
  },
  {
    reason: "plugins of Besu do not run here; list those of Plinth in a configuration file",
    options: {
      plugins: option.list({ summary: "Plugins to load.", of: text, words: true }),
      XinProcessRpcEnabled: option.flag({ summary: "Provides JSON-RPC to plugins." }),
      XinProcessRpcApi: option.list({
        summary: "Namespaces to serve.",
        of: text,
        words: true,
        aliases: ["XinProcessRpcApis"],
        needs: "XinProcessRpcEnabled",
      }),
    },
  },
  {
    reason: "use `plinth config` to see every path",
    options: { printPathsAndExit: option.flag({ summary: "Prints the paths and exits." }) },
  },
];

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
