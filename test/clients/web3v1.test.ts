import { describeLibrary } from "./describe-library.js";

// The library passes on the message of the node.
describeLibrary("web3v1", {
  installed: "web3",
  nonceTooLow: "Returned error: Nonce too low",
  insufficientFunds:
    "Returned error: Upfront cost exceeds account balance: insufficient funds for gas * price + value",
});
