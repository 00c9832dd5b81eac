export { registerAddressIndex } from "./register.js";
export {
  type AddressIndex,
  addressIndex,
  type ContractCreation,
  type PositionRange,
  type TransactionPosition,
} from "./service.js";
