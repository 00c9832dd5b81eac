import { describeLibrary } from "./describe-library.js";

describeLibrary("ethers", {
  nonceTooLow: "NONCE_EXPIRED",
  insufficientFunds: "INSUFFICIENT_FUNDS",
});
