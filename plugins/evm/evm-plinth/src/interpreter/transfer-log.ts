import type { Address, Hash } from "@plinth/core";
import type { EvmLog } from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";
import { bytesOfWord, hashOfWord, toWord, wordOfHex } from "../arithmetic/words.js";

/** Where wallets look for transfers of ether; no contract can stand there. */
const ETHER: Address = `0x${"ee".repeat(20)}`;

let topic: Hash | undefined;

/** A transfer of value in the shape of a token's log. */
export function transferLog(from: Address, to: Address, value: bigint): EvmLog {
  topic ??= keccakHash(Buffer.from("Transfer(address,address,uint256)"));
  const topics = [topic, hashOfWord(wordOfHex(from)), hashOfWord(wordOfHex(to))];
  return { address: ETHER, topics, data: bytesOfWord(toWord(value)) };
}
