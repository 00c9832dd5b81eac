export { AnsweringThread, type ThreadAnswer, type ThreadQuestion } from "./answering-thread.js";
export { hashPassword } from "./bcrypt.js";
export {
  BLOOM_BYTES,
  type Bloom,
  type BloomBits,
  bloomBits,
  createBloom,
  hasBits,
  isEmptyBloom,
  mergeIntoBloom,
} from "./bloom.js";
export type { Crypto } from "./crypto.js";
export { Heap } from "./heap.js";
export { IndentedJson } from "./indented-json.js";
export { keccak256Into, keccakHash } from "./keccak/keccak.js";
export { loadKeccak512 } from "./keccak/keccak512.js";
export { loadRunningKeccak, type RunningKeccak } from "./keccak/running-keccak.js";
export { type LruLimits, LruMap } from "./lru.js";
export { PasswordChecker } from "./password-checker.js";
export { decodeFirst, encodeRlpList, type RlpLimits, rlpItems, rlpLength } from "./rlp.js";
export type { Secp256k1, Secp256k1Backend, Signature } from "./secp256k1/secp256k1.js";
export { wasm } from "./wasm/wasm.js";
export type { WasmFunction } from "./wasm/wasm-encoder.js";
export type { WasmMemory } from "./wasm/wasm-instance.js";
