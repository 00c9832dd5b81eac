import type { Address, Hash } from "@plinth/core";
import type { EvmLog } from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";
import { bytesOfWord, hashOfWord, toWord, wordOfHex } from "../arithmetic/words.js";

/** Address under which wallets expect ether transfers; no contract can be there. */
const ETHER: Address = `0x${"ee".repeat(20)}`;

let topic: Hash | undefined;

/** A transfer of value as a token-style log. */
export function transferLog(from: Address, to: Address, value: bigint): EvmLog {
  topic ??= keccakHash(Buffer.from("Transfer(address,address,uint256)"));
  const topics = [topic, hashOfWord(wordOfHex(from)), hashOfWord(wordOfHex(to))];
  return { address: ETHER, topics, data: bytesOfWord(toWord(value)) };
}
