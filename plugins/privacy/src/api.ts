export {
  decodePrivateTransaction,
  encodePrivateTransaction,
  encodeSigningPayload,
  findPrivateSender,
  groupOf,
  type PrivateTransaction,
  privateContractAddress,
  privateSigningHash,
  signPrivateTransaction,
  type UnsignedPrivateTransaction,
} from "./private-transaction.js";
export { privacy } from "./service.js";
