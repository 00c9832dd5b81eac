import { toWord, type Word, wordOfHex } from "../arithmetic/words.js";
import type { Frame } from "./frame.js";
import type { Machine } from "./machine.js";

/** The word of an instruction that reads the block, the transaction or the own balance. */
export function contextValue(op: number, machine: Machine, frame: Frame): Word {
  const { block } = machine;
  switch (op) {
    case 0x32: // ORIGIN
      return wordOfHex(machine.origin);
    case 0x3a: // GASPRICE
      return toWord(machine.gasPrice);
    case 0x41: // COINBASE
      return wordOfHex(block.feeRecipient);
    case 0x42: // TIMESTAMP
      return toWord(block.timestamp);
    case 0x43: // NUMBER
      return toWord(block.number);
    case 0x44: // PREVRANDAO
      return machine.rules.hasRandom ? wordOfHex(block.mixHash) : toWord(block.difficulty);
    case 0x45: // GASLIMIT
      return toWord(block.gasLimit);
    case 0x46: // CHAINID
      return toWord(machine.chainId);
    case 0x47: // SELFBALANCE
      return toWord(machine.balanceOf(frame.address));
    case 0x48: // BASEFEE
      return toWord(block.baseFeePerGas ?? 0n);
    default: // BLOBBASEFEE
      return toWord(block.blobBaseFee ?? 0n);
  }
}

/** Number of ancestors that BLOCKHASH can access. */
const ANCESTORS = 256n;

/** The word of BLOCKHASH. */
export function blockHash({ block }: Machine, word: Word): Word {
  const number = BigInt(word);
  if (number >= block.number || number + ANCESTORS < block.number) return 0;
  return wordOfHex(block.hashOf(number));
}

/** The word of BLOBHASH. */
export function blobHash({ blobHashes }: Machine, index: Word): Word {
  const hash = typeof index === "number" ? blobHashes[index] : undefined;
  return hash === undefined ? 0 : wordOfHex(hash);
}
