import { type Address, type CommandIo, ConfigError, messageOf, parseHex, t } from "@plinth/core";
import type { ScratchState } from "@plinth/core/chain";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";

const OPTION = "override-code";
const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Code of contracts that differs from that of the network. */
export type CodeOverrides = ReadonlyMap<Address, Uint8Array>;

/** Reads `ADDRESS=FILE` and `ADDRESS=HEX`; a file has the runtime code in hex. */
export async function readCodeOverrides(
  given: ReadonlyMap<string, string>,
  io: Pick<CommandIo, "read">,
): Promise<CodeOverrides> {
  const overrides = new Map<Address, Uint8Array>();
  for (const [key, value] of given) {
    overrides.set(readAddress(key), await readCode(value, io));
  }
  return overrides;
}

function readAddress(text: string): Address {
  if (ADDRESS.test(text)) return t.address.decode(text);
  throw invalid(text, "expected an address (20 bytes of hex) before the =");
}

async function readCode(text: string, io: Pick<CommandIo, "read">): Promise<Uint8Array> {
  const isHex = text.startsWith("0x");
  const content = isHex ? text : await readFile(text, io);
  const code = parseHex(content.trim());
  if (code !== undefined && code.length > 0) return code;
  throw invalid(text, "expected the runtime code of a contract in hex, or a file with it");
}

async function readFile(path: string, io: Pick<CommandIo, "read">): Promise<string> {
  try {
    return await io.read(path);
  } catch (error) {
    throw invalid(path, messageOf(error));
  }
}

function invalid(value: string, problem: string): ConfigError {
  const message = `Invalid value for option '--${OPTION}': ${value}: ${problem}`;
  return new ConfigError("OPTION_INVALID", { message, option: OPTION, value });
}

/**
 * Puts code into a state; the returned function takes it out again, so that the state has the root of the network.
 *
 * Code that transactions have changed meanwhile stays.
 */
export function putCode(state: ScratchState, overrides: CodeOverrides): () => void {
  const before = [...overrides].map(([address, code]) => {
    const account = state.findAccount(address);
    const original = state.getCode(address).slice();
    state.setCode(address, code);
    const codeHash = state.findAccount(address)?.codeHash;
    return { address, original, codeHash, isNew: account === undefined };
  });
  return () => {
    for (const { address, original, codeHash, isNew } of before) {
      if (state.findAccount(address)?.codeHash !== codeHash) continue;
      state.setCode(address, original);
      if (isNew && isEmpty(state, address)) state.deleteAccount(address);
    }
  };
}

function isEmpty(state: ScratchState, address: Address): boolean {
  const account = state.findAccount(address);
  return account?.nonce === 0n && account.balance === 0n && account.codeHash === EMPTY_CODE_HASH;
}
