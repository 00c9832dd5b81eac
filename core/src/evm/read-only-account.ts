import type { Address } from "../primitives/hex.js";

/** Code wanted to change an account that its state only reads; the call that tried it has failed. */
export class ReadOnlyAccount extends Error {
  constructor(address: Address) {
    super(`account ${address} can only be read here`);
    this.name = "ReadOnlyAccount";
  }
}
