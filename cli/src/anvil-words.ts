import { ConfigError } from "@plinth/core";

/** Short forms and their long options. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  "-p": "--port",
  "-b": "--block-time",
  "-a": "--accounts",
  "-m": "--mnemonic",
  "-f": "--fork-url",
  "-q": "--quiet",
};

/** Flags without a value, and their equivalents here. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  "--silent": ["--logging=OFF"],
  "--quiet": ["--logging=OFF"],
  "--disable-code-size-limit": ["--code-size-limit=49152"],
  // Steps can always be traced.
  "--steps-tracing": [],
  "--tracing": [],
};

/** Transaction orders, and their equivalents here. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  fees: ["--tx-pool=LAYERED"],
  // Without the second option a sender has few transactions in such a pool.
  fifo: ["--tx-pool=SEQUENCED", "--tx-pool-limit-by-account-percentage=1"],
};

const WHOLE_FORK = "a fork begins after a whole block: --fork-block-number";
const KEEPS_ALL = "every block and state is kept on disk, and --fresh removes them";
/** Unsupported options, and what to use instead. */
const REFUSED: Readonly<Record<string, string>> = {
  "--mnemonic-random": "use --mnemonic with words",
  "--mnemonic-seed-unsafe": "use --mnemonic with words",
  "--mixed-mining": "--block-time produces blocks by time, evm_mine produces one at once",
  "--slots-in-an-epoch": "blocks are final at once",
  "--config-out": "the accounts are in the log, and eth_accounts lists them",
  "--state-interval":
    "--state and --dump-state write when the node stops; anvil_dumpState at any time",
  "--preserve-historical-states": KEEPS_ALL,
  "--prune-history": KEEPS_ALL,
  "--max-persisted-states": KEEPS_ALL,
  "--transaction-block-keeper": KEEPS_ALL,
  "--cache-path": KEEPS_ALL,
  "--max-transactions": "a block is as full as its gas limit: --gas-limit",
  "--fund-accounts": "anvil_setBalance gives ether to an account, --init takes a genesis file",
  "--ipc": "--rpc-ipc-enabled, with --rpc-ipc-path",
  "--disable-block-gas-limit": "--gas-limit accepts up to 9007199254740991",
  "--enable-tx-gas-limit": "it is always deployed; --hardfork=prague has none",
  "--disable-min-priority-fee": "--min-gas-price=0",
  "--disable-console-log": "--logging-levels=dev-console=WARN shows only failures",
  "--disable-default-create2-deployer": "--init takes a genesis file with other accounts",
  "--disable-pool-balance-checks": "anvil_setBalance gives ether to a sender",
  "--memory-limit": "gas limits memory: --gas-limit",
  "--no-cors": "--rpc-http-cors-origins lists the pages that may call",
  "--allow-origin": "--rpc-http-cors-origins and --rpc-ws-origins list the pages that may call",
  "--no-request-size-limit": "--rpc-http-max-request-content-length takes a number of bytes",
  "--fork-transaction-hash": WHOLE_FORK,
  "--optimism": "only Ethereum chains are supported",
  "--odyssey": "only Ethereum chains are supported",
};

/** Translates Anvil's options into those of this program; throws for unsupported ones. */
export function fromAnvil(words: readonly string[]): readonly string[] {
  const own: string[] = [];
  for (let position = 0; position < words.length; position++) {
    const { name, value } = splitWord(words[position] ?? "");
    const reason = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
    if (reason !== undefined) throw refused(name, reason);
    if (name === "--order") {
      own.push(...orderOf(value ?? words[position + 1]));
      position += value === undefined ? 1 : 0;
    } else if (Object.hasOwn(FLAGS, name)) {
      if (isOn(name, value)) own.push(...(FLAGS[name] ?? []));
    } else own.push(value === undefined ? name : `${name}=${value}`);
  }
  return own;
}

/** `-p`, `-p=1` and `-p1` → `--port` and its value; a long option and its value. */
function splitWord(word: string): { readonly name: string; readonly value: string | undefined } {
  const long = SHORT_FORMS[word.slice(0, 2)];
  if (long !== undefined && !word.startsWith("--")) {
    const value = word.slice(2).replace(/^=/, "");
    return { name: long, value: value === "" ? undefined : value };
  }
  const split = word.startsWith("--") ? word.indexOf("=") : -1;
  if (split < 0) return { name: word, value: undefined };
  return { name: word.slice(0, split), value: word.slice(split + 1) };
}

function isOn(name: string, value = "true"): boolean {
  if (value === "true" || value === "false") return value === "true";
  throw new ConfigError("OPTION_INVALID", {
    message: `${name}=${value}: expected true or false`,
    option: name,
    value,
  });
}

function orderOf(value = ""): readonly string[] {
  const words = Object.hasOwn(ORDERS, value) ? ORDERS[value] : undefined;
  if (words !== undefined) return words;
  throw new ConfigError("OPTION_INVALID", {
    message: `--order=${value}: expected ${Object.keys(ORDERS).join(" or ")}`,
    option: "order",
    value,
  });
}

function refused(name: string, reason: string): ConfigError {
  return new ConfigError("OPTION_REFUSED", {
    message: `${name} is not supported: ${reason}`,
    option: name,
  });
}
